// Types of a file of a package that brings none for it.

declare module 'graphology-layout-forceatlas2/iterate.js' {
  /** One step of the layout. Nodes take ten numbers each, edges three; both are written in place. */
  function iterate(
    settings: Readonly<Record<string, number | boolean>>,
    nodes: Float32Array,
    edges: Float32Array,
  ): void
  export = iterate
}
