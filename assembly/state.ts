// The numbers and rows of layout.ts, read and written.
import {
  BEHAVIOURS,
  C_ELEMENT,
  FLAGS,
  OPEN_ROWS,
  RANKS,
  SEEN_IN,
  STATE,
  TAG_COUNT,
  TRAITS,
} from './layout'

export function get(slot: i32): i32 {
  return load<i32>(STATE + ((<usize>slot) << 2))
}

export function set(slot: i32, number: i32): void {
  store<i32>(STATE + ((<usize>slot) << 2), number)
}

/** One number of a column of rows. */
export function cell(column: usize, row: i32): i32 {
  return load<i32>(column + ((<usize>row) << 2))
}

export function setCell(column: usize, row: i32, number: i32): void {
  store<i32>(column + ((<usize>row) << 2), number)
}

/** Whether the last tag has an attribute. */
export function has(attribute: i32): bool {
  return cell(SEEN_IN, attribute) === get(TAG_COUNT)
}

export function traitsOf(element: i32): i32 {
  return <i32>load<u16>(TRAITS + ((<usize>element) << 1))
}

export function flagsOf(element: i32): i32 {
  return <i32>load<u16>(FLAGS + ((<usize>element) << 1))
}

export function behaviourOf(element: i32): i32 {
  return <i32>load<u8>(BEHAVIOURS + <usize>element)
}

export function rankOf(element: i32): i32 {
  return <i32>load<u8>(RANKS + <usize>element)
}

/** The row of an open container, the outermost first. */
export function openRow(place: i32): i32 {
  return cell(OPEN_ROWS, place)
}

export function openElement(place: i32): i32 {
  return <i32>load<u8>(C_ELEMENT + <usize>openRow(place))
}
