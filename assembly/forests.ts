// Sends rows down oblivious trees: forest/forest.ts. No branch depends on a value.
import {
  at,
  COLUMNS,
  getI32,
  KIND_COUNT,
  KIND_DEPTH,
  KIND_LEAVES,
  KIND_SUMS,
  KIND_TREE_COUNT,
  KIND_TREES,
  LEAVES,
  PAGE,
  STRIDE,
  SUMS,
  setI32,
  TREE_COUNT,
  TREES,
  value,
} from './memory'

/** Rows that are scored together: their columns fit the processor's nearest caches. */
const CHUNK = 128
const DEPTH = 6
const TREE_BYTES = DEPTH * 8
const LEAF_BYTES = 2 << DEPTH

/** The sum of the leaves of each block. */
export function scoreBlocks(count: i32): void {
  memory.fill(at(SUMS), 0, (<usize>((count + 3) & ~3)) << 2)
  for (let from = 0; from < count; from += CHUNK) {
    scoreChunk((<usize>from) << 2, (<usize>min(count, from + CHUNK)) << 2)
  }
}

/** From and to offsets in bytes; four rows at once. */
function scoreChunk(from: usize, to: usize): void {
  const sums = at(SUMS)
  const columns = at(COLUMNS)
  const stride = at(STRIDE)
  let tree = at(TREES)
  let leaves = at(LEAVES)
  for (let rest = value(TREE_COUNT); rest > 0; rest--) {
    const a = columns + <usize>load<u32>(tree) * stride
    const b = columns + <usize>load<u32>(tree, 4) * stride
    const c = columns + <usize>load<u32>(tree, 8) * stride
    const d = columns + <usize>load<u32>(tree, 12) * stride
    const e = columns + <usize>load<u32>(tree, 16) * stride
    const f = columns + <usize>load<u32>(tree, 20) * stride
    const ta = v128.load32_splat(tree, 24)
    const tb = v128.load32_splat(tree, 28)
    const tc = v128.load32_splat(tree, 32)
    const td = v128.load32_splat(tree, 36)
    const te = v128.load32_splat(tree, 40)
    const tf = v128.load32_splat(tree, 44)
    const base = i32x4.splat(<i32>leaves)
    for (let row = from; row < to; row += 16) {
      // A true comparison is -1 in its lane, so the index counts below zero.
      let index = f32x4.gt(v128.load(a + row), ta)
      index = i32x4.add(i32x4.add(index, index), f32x4.gt(v128.load(b + row), tb))
      index = i32x4.add(i32x4.add(index, index), f32x4.gt(v128.load(c + row), tc))
      index = i32x4.add(i32x4.add(index, index), f32x4.gt(v128.load(d + row), td))
      index = i32x4.add(i32x4.add(index, index), f32x4.gt(v128.load(e + row), te))
      index = i32x4.add(i32x4.add(index, index), f32x4.gt(v128.load(f + row), tf))
      index = i32x4.sub(base, i32x4.add(index, index))
      let found = v128.load_lane<i16>(<usize>i32x4.extract_lane(index, 0), i16x8.splat(0), 0)
      found = v128.load_lane<i16>(<usize>i32x4.extract_lane(index, 1), found, 1)
      found = v128.load_lane<i16>(<usize>i32x4.extract_lane(index, 2), found, 2)
      found = v128.load_lane<i16>(<usize>i32x4.extract_lane(index, 3), found, 3)
      const sum = sums + row
      v128.store(sum, i32x4.add(v128.load(sum), i32x4.extend_low_i16x8_s(found)))
    }
    tree += TREE_BYTES
    leaves += LEAF_BYTES
  }
}

/** The sum of the leaves of the page's row in each forest of kinds. */
export function scoreKinds(): void {
  const page = at(PAGE)
  const sums = at(KIND_SUMS)
  const kinds = value(KIND_COUNT)
  const depth = value(KIND_DEPTH)
  let tree = at(KIND_TREES)
  let leaves = at(KIND_LEAVES)
  for (let kind = 0; kind < kinds; kind++) {
    let sum = 0
    for (let rest = getI32(at(KIND_TREE_COUNT), kind); rest > 0; rest--) {
      let index = 0
      for (let level = 0; level < depth; level++) {
        const question = tree + ((<usize>level) << 2)
        const own = load<f32>(page + <usize>load<u32>(question))
        index = (index << 1) | <i32>(own > load<f32>(question + ((<usize>depth) << 2)))
      }
      sum += <i32>load<i16>(leaves + ((<usize>index) << 1))
      tree += (<usize>depth) << 3
      leaves += (<usize>2) << (<usize>depth)
    }
    setI32(sums, kind, sum)
  }
}
