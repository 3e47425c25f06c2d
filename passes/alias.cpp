#include "passes/alias.h"

#include "llvm/ADT/STLExtras.h"
#include "passes/alias_data.h"

#include <algorithm>

namespace tine {

// Locations.

std::uint32_t Locations::make(MemoryKinds kinds) {
  items_.push_back({static_cast<std::uint32_t>(items_.size()), kNone, 0, kinds});
  return items_.back().parent;
}

std::uint32_t Locations::makeChain(const MemoryLevels& levels) {
  if (levels.levels.empty()) return kNone;
  std::uint32_t first = make(levels.levels.front()), last = first;
  for (MemoryKinds kinds : llvm::drop_begin(levels.levels)) {
    std::uint32_t next = make(kinds);
    items_[last].contents = next;
    last = next;
  }
  if (levels.endless) items_[last].contents = last;
  return first;
}

std::uint32_t Locations::find(std::uint32_t location) const {
  while (items_[location].parent != location) {
    std::uint32_t above = items_[items_[location].parent].parent;
    items_[location].parent = above;
    location = above;
  }
  return location;
}

std::uint32_t Locations::contentsOf(std::uint32_t location) {
  location = find(location);
  if (items_[location].contents == kNone) {
    // A value of a type that said that it holds nothing mutable: it holds what it is given.
    std::uint32_t made = make(0);
    items_[location].contents = made;
  }
  return find(items_[location].contents);
}

void Locations::unify(std::uint32_t a, std::uint32_t b) {
  llvm::SmallVector<std::pair<std::uint32_t, std::uint32_t>, 4> work{{a, b}};
  while (!work.empty()) {
    auto [x, y] = work.pop_back_val();
    if (x == kNone || y == kNone) continue;
    x = find(x);
    y = find(y);
    if (x == y) continue;
    if (items_[x].rank < items_[y].rank) std::swap(x, y);
    if (items_[x].rank == items_[y].rank) ++items_[x].rank;
    items_[y].parent = x;
    items_[x].flags |= items_[y].flags;
    items_[x].kinds |= items_[y].kinds;
    std::uint32_t held = items_[y].contents;
    if (items_[x].contents == kNone)
      items_[x].contents = held;
    else
      work.push_back({items_[x].contents, held});
  }
}

void Locations::spreadOutside() {
  std::vector<std::uint32_t> work;
  for (std::uint32_t i = 0; i < items_.size(); ++i)
    if (find(i) == i && (items_[i].flags & (kOutside | kLingering))) work.push_back(i);
  while (!work.empty()) {
    std::uint32_t held = items_[work.back()].contents;
    std::uint8_t above = items_[work.back()].flags;
    std::uint8_t passed = above & (kUnknown | kLingering);
    work.pop_back();
    if (held == kNone) continue;
    held = find(held);
    std::uint8_t flags = items_[held].flags | passed;
    if (above & kOutside) flags |= kReached;
    if (flags == items_[held].flags) continue;
    items_[held].flags = flags;
    work.push_back(held);
  }
}

// Writes.

void Writes::finish() {
  for (const Write& write : all_)
    for (int kind = 0; kind < memory::kKinds; ++kind)
      if (write.kinds >> kind & 1)
        spans_.push_back({key(write.location, kind), write.begin, write.end});
  std::sort(spans_.begin(), spans_.end(), [](const Span& a, const Span& b) {
    return a.key != b.key ? a.key < b.key : a.begin < b.begin;
  });
  for (std::size_t i = 1; i < spans_.size(); ++i)
    if (spans_[i].key == spans_[i - 1].key)
      spans_[i].end = std::max(spans_[i].end, spans_[i - 1].end);
}

bool Writes::overlap(std::uint32_t location, int kind, std::uint32_t after,
                     std::uint32_t before) const {
  std::uint64_t wanted = key(location, kind);
  auto it = std::partition_point(spans_.begin(), spans_.end(), [&](const Span& span) {
    return span.key < wanted || (span.key == wanted && span.begin < before);
  });
  if (it == spans_.begin() || (--it)->key != wanted) return false;
  return it->end > after; // the latest end of all up to here
}

// Queries.

AliasAnalysis::~AliasAnalysis() = default;

std::uint32_t AliasAnalysis::numLocations() const { return data_->locations.size(); }

std::uint32_t AliasAnalysis::location(const Value* value) const {
  std::uint32_t made =
      value->unique() < data_->ofValue.size() ? data_->ofValue[value->unique()] : kNone;
  return made == kNone ? kNone : data_->locations.find(made);
}

std::uint32_t AliasAnalysis::contents(std::uint32_t location) const {
  std::uint32_t held = data_->locations[location].contents;
  return held == kNone ? kNone : data_->locations.find(held);
}

bool AliasAnalysis::Data::isOutside(std::uint32_t location) const {
  return locations[location].flags & Locations::kOutside;
}

/// Calls `f(location, kinds)` for all memory that can be reached from the value until it answers
/// true. True also when there is no end in sight.
template <class F>
static bool anyReachable(const AliasAnalysis& alias, const Locations& locations,
                         std::uint32_t first, MemoryKinds kinds, F&& f) {
  constexpr int kFarEnough = 64; // containers may hold each other in a ring
  std::uint32_t location = first;
  for (int i = 0; location != AliasAnalysis::kNone; ++i) {
    if (i == kFarEnough || f(location, kinds)) return true;
    std::uint32_t held = alias.contents(location);
    if (held == location) { // holds itself: all kinds count, once
      return kinds != locations[location].kinds && f(location, locations[location].kinds);
    }
    location = held;
    if (location != AliasAnalysis::kNone) kinds = locations[location].kinds;
  }
  return false;
}

bool AliasAnalysis::mayAlias(const Value* a, const Value* b) const {
  if (a == b) return true;
  std::uint32_t x = location(a), y = location(b);
  if (x == kNone || y == kNone || !(data_->kinds(a) & data_->kinds(b))) return false;
  return x == y || (data_->isOutside(x) && data_->isOutside(y));
}

/// From after `after` to before `before`.
bool AliasAnalysis::Data::isWritten(std::uint32_t location, MemoryKinds kinds, std::uint32_t after,
                                    std::uint32_t before) const {
  if (locations[location].flags & Locations::kMerged) return true;
  for (int kind = 0; kind < memory::kKinds; ++kind)
    if ((kinds >> kind & 1) &&
        (writes.overlap(location, kind, after, before) ||
         (isOutside(location) && writes.overlap(kOutsideLocation, kind, after, before))))
      return true;
  return false;
}

bool AliasAnalysis::hasWriters(const Value* value) const {
  return anyReachable(*this, data_->locations, location(value), data_->kinds(value),
                      [&](std::uint32_t location, MemoryKinds kinds) {
                        return data_->isWritten(location, kinds, 0, ~0u);
                      });
}

bool AliasAnalysis::escapes(const Value* value) const {
  std::uint32_t at = location(value);
  return at != kNone &&
         (data_->isOutside(at) || (data_->locations[at].flags & Locations::kLingering));
}

bool AliasAnalysis::staysHere(const Value* value) const {
  if (!value->type()->is(TypeKind::Tensor)) return false;
  for (const Use& use : value->uses()) {
    const Node* user = use.user;
    if (user->op() != Builtin::None || !user->blocks().empty() || user->subgraph()) return false;
    const OpInfo* op = data_->context->find(*user);
    if (!op || op->effects.writes || op->effects.external || op->effects.suspends) return false;
    for (const Argument& result : op->schema.results) // of contiguous: maybe this very tensor
      if (!result.aliasSet.empty() || result.type->is(TypeKind::List) ||
          result.type->is(TypeKind::Var))
        return false;
  }
  return true;
}

bool AliasAnalysis::identityMatters(const Value* value) const {
  std::uint32_t at = location(value);
  return at != kNone && (data_->locations[at].flags & Locations::kIdentity);
}

/// Positions strictly between which something counts as happening between the two nodes. A loop
/// around the second that is not around the first may have run before: all of it counts.
static std::pair<std::uint32_t, std::uint32_t> window(const Positions& positions, const Node* first,
                                                      const Node* second) {
  std::uint32_t before = positions.begin(second);
  for (const Node* node = second; node && node->block() != first->block();
       node = node->block()->owner())
    if (const Node* owner = node->block()->owner(); owner && owner->op() == Builtin::Loop)
      before = std::max(before, positions.end(owner) + 1);
  return {positions.begin(first), before};
}

bool AliasAnalysis::writtenBetween(const Node* first, const Node* second,
                                   const Value* value) const {
  if (location(value) == kNone || !hasWriters(value)) return false;
  const auto between = window(data_->positions, first, second);
  return anyReachable(*this, data_->locations, location(value), data_->kinds(value),
                      [&](std::uint32_t location, MemoryKinds kinds) {
                        return data_->isWritten(location, kinds, between.first, between.second);
                      });
}

bool AliasAnalysis::outsideWrittenBetween(const Node* first, const Node* second) const {
  auto [after, before] = window(data_->positions, first, second);
  for (int kind = 0; kind < memory::kKinds; ++kind)
    if (data_->writes.overlap(kOutsideLocation, kind, after, before)) return true;
  return false;
}

bool AliasAnalysis::mayWrite(const Node* node, const Value* value) const {
  const Data& data = *data_;
  std::uint32_t begin = data.positions.begin(node), end = data.positions.end(node);
  bool wakes = data.wakes(begin, end);
  return anyReachable(
      *this, data.locations, location(value), data.kinds(value),
      [&](std::uint32_t location, MemoryKinds kinds) {
        if (data.locations[location].flags & Locations::kMerged) return true;
        bool outside = data.isOutside(location);
        return llvm::any_of(data.writes.all(), [&](const Write& write) {
          if (!(write.kinds & kinds)) return false;
          if (write.location != location &&
              !(outside && (write.location == kOutsideLocation || data.isOutside(write.location))))
            return false;
          if (write.origin >= begin && write.origin <= end) return true;
          if (write.end == Positions::kEnd) return wakes && write.begin <= end;
          return write.end != write.origin && write.end >= begin && write.end <= end;
        });
      });
}

// Moving.

/// What a node, with everything in it, does and reads.
struct AliasAnalysis::Data::Footprint {
  Effects effects = Effects::pure();
  llvm::SmallVector<const Value*, 8> operands;
};

void AliasAnalysis::Data::addFootprint(const Node* node, Footprint& footprint) const {
  std::vector<const Node*> work{node};
  while (!work.empty()) {
    const Node* current = work.back();
    work.pop_back();
    footprint.operands.append(current->inputs().begin(), current->inputs().end());
    for (const Block* block : current->blocks()) {
      footprint.operands.append(block->outputs().begin(), block->outputs().end());
      for (const Node* inner : block->nodes()) work.push_back(inner);
    }
    if (current->blocks().empty()) {
      if (const Graph* body = current->subgraph()) {
        footprint.effects.external |= (*bodies)[*body].mustRun();
        footprint.effects.suspends |= (*bodies)[*body].mustRun();
      } else {
        footprint.effects = footprint.effects | context->effects(*current);
      }
      if (current->op() == Builtin::RaiseException) footprint.effects.raises = true;
    }
  }
}

/// May the two, which follow each other, change places?
bool AliasAnalysis::Data::commute(const AliasAnalysis& alias, const Node* a, const Node* b) const {
  Footprint x, y;
  addFootprint(a, x);
  addFootprint(b, y);
  for (const Value* operand : y.operands)
    if (operand->node() == a) return false;
  for (const Value* operand : x.operands)
    if (operand->node() == b) return false;
  // Memory is looked at by location; what is left are effects on the rest of the world.
  Effects left = x.effects, right = y.effects;
  left.reads = left.writes = right.reads = right.writes = false;
  if (left.interferes(right)) return false;
  for (const Value* operand : y.operands)
    if (alias.mayWrite(a, operand)) return false;
  for (const Value* operand : x.operands)
    if (alias.mayWrite(b, operand)) return false;
  return true;
}

bool AliasAnalysis::mayMoveBefore(const Node* node, const Node* other) const {
  TINE_CHECK(node->block() == other->block());
  for (const Node* passed = node->prev(); passed; passed = passed->prev()) {
    if (!data_->commute(*this, passed, node)) return false;
    if (passed == other) return true;
  }
  TINE_UNREACHABLE("mayMoveBefore: the other node does not precede");
}

bool AliasAnalysis::mayMoveAfter(const Node* node, const Node* other) const {
  TINE_CHECK(node->block() == other->block());
  for (const Node* passed = node->next(); passed; passed = passed->next()) {
    if (!data_->commute(*this, node, passed)) return false;
    if (passed == other) return true;
  }
  TINE_UNREACHABLE("mayMoveAfter: the other node does not follow");
}

// The rest.

void AliasAnalysis::merge(const Value* a, const Value* b) {
  std::uint32_t x = location(a), y = location(b);
  if (x == y || x == kNone || y == kNone) return;
  Locations& locations = data_->locations;
  bool outside = data_->isOutside(x) || data_->isOutside(y);
  // The lists of writes stay with the old locations. Where either has one, say yes from now on.
  bool written = hasWriters(a) || hasWriters(b);
  locations.unify(x, y);
  std::uint8_t flags = static_cast<std::uint8_t>((outside ? Locations::kReached : 0) |
                                                 (written ? Locations::kMerged : 0));
  if (!flags) return;
  for (std::uint32_t at = location(a); at != kNone; at = contents(at)) {
    if ((locations[at].flags & flags) == flags) break;
    locations[at].flags |= flags;
  }
}

AliasAnalysis::Role AliasAnalysis::role(const Node* node) const {
  auto it = data_->roles.find(node);
  return it == data_->roles.end() ? Role::Pure : it->second;
}

llvm::ArrayRef<const Node*> AliasAnalysis::writersOf(std::uint32_t location) const {
  auto range = data_->writers.find(location);
  return range == data_->writers.end() ? llvm::ArrayRef<const Node*>()
                                       : llvm::ArrayRef<const Node*>(range->second);
}

AliasAnalyses::AliasAnalyses(Graph& root, const PassContext& context) {
  std::vector<std::size_t> sizes;
  graphs_.push_back(&root);
  for (std::size_t i = 0; i < graphs_.size(); ++i) {
    std::size_t size = 0;
    graphs_[i]->forEachNode([&](Node* node) {
      ++size;
      if (Graph* body = node->subgraph()) graphs_.push_back(body);
    });
    sizes.push_back(size);
  }
  std::reverse(graphs_.begin(), graphs_.end());
  std::reverse(sizes.begin(), sizes.end());
  for (auto [graph, size] : llvm::zip(graphs_, sizes))
    analyses_[graph] = std::make_unique<AliasAnalysis>(*graph, size, context, types_, *this);
}
AliasAnalyses::~AliasAnalyses() = default;

} // namespace tine
