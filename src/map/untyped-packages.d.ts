// Types for a file of a package that has none.

declare module 'graphology-layout-forceatlas2/iterate.js' {
  /** One step of the layout. Nodes take ten numbers each, edges three; both are updated in place. */
  function iterate(
    settings: Readonly<Record<string, number | boolean>>,
    nodes: Float32Array,
    edges: Float32Array,
  ): void
  export = iterate
}
