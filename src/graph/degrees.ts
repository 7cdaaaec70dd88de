// Counts of links: out of a page, into it, and from how many other hosts.
import type { Graph } from './graph.ts'

/** To how many other pages each page links. */
export function outDegrees({ nodes, offsets }: Graph): Uint32Array {
  const degrees = new Uint32Array(nodes)
  for (let node = 0; node < nodes; node++) {
    degrees[node] = (offsets[node + 1] ?? 0) - (offsets[node] ?? 0)
  }
  return degrees
}

/** Backlinks: how many other pages link to each page. */
export function inDegrees({ nodes, edges, targets }: Graph): Uint32Array {
  const degrees = new Uint32Array(nodes)
  for (let at = 0; at < edges; at++) {
    const target = targets[at] ?? 0
    degrees[target] = (degrees[target] ?? 0) + 1
  }
  return degrees
}

/**
 * How many other hosts link to each page: what a site cannot raise by itself. `hosts` has a number
 * for the host of every node; hosts are numbered from 0 without gaps.
 */
export function linkingHosts(graph: Graph, hosts: Uint32Array): Uint32Array {
  const { nodes, offsets, targets } = graph
  const counts = new Uint32Array(nodes)
  // The last host that linked here, counted from 1: enough, since sources come host by host.
  const seenBy = new Uint32Array(nodes)
  for (const source of nodesByHost(nodes, hosts)) {
    const host = hosts[source] ?? 0
    for (let at = offsets[source] ?? 0; at < (offsets[source + 1] ?? 0); at++) {
      const target = targets[at] ?? 0
      if (hosts[target] === host || seenBy[target] === host + 1) continue
      seenBy[target] = host + 1
      counts[target] = (counts[target] ?? 0) + 1
    }
  }
  return counts
}

/** All nodes, those of one host together. */
function nodesByHost(nodes: number, hosts: Uint32Array): Uint32Array {
  let count = 0
  for (const host of hosts) count = Math.max(count, host + 1)
  const next = new Uint32Array(count + 1)
  for (const host of hosts) next[host + 1] = (next[host + 1] ?? 0) + 1
  for (let host = 0; host < count; host++)
    next[host + 1] = (next[host + 1] ?? 0) + (next[host] ?? 0)
  const order = new Uint32Array(nodes)
  for (let node = 0; node < nodes; node++) {
    const host = hosts[node] ?? 0
    const place = next[host] ?? 0
    order[place] = node
    next[host] = place + 1
  }
  return order
}
