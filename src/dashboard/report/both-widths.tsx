// A picture for every screen.
import type { VNode } from 'preact'

export type PictureWidth = 'wide' | 'narrow'

/** Drawn twice: screens of phones show the one with its labels below the axes, others and paper the wide one. */
export function bothWidths(draw: (width: PictureWidth) => VNode): VNode {
  return (
    <>
      <div class="wide">{draw('wide')}</div>
      <div class="narrow">{draw('narrow')}</div>
    </>
  )
}
