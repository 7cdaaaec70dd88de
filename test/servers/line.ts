// A line between a program and a server that can be cut: while it is, nothing gets through in either
// direction and nobody is told, as when a cable is pulled; new connections are taken and hear nothing.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Line = AsyncDisposable & {
  readonly port: number
  cut(): void
  /** What was sent meanwhile is lost: connections of before are broken, new ones work. */
  mend(): void
}

export async function openLine(toPort: number): Promise<Line> {
  const open = new Set<Socket>()
  let isCut = false
  const keep = (socket: Socket): Socket => {
    open.add(socket)
    return socket.on('error', () => {}).on('close', () => open.delete(socket))
  }
  const server = createServer((near) => {
    keep(near)
    if (isCut) return
    const far = keep(connect(toPort, '127.0.0.1'))
    near.on('data', (bytes) => isCut || far.write(bytes)).on('close', () => far.destroy())
    far.on('data', (bytes) => isCut || near.write(bytes)).on('close', () => isCut || near.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const breakAll = (): void => {
    for (const socket of open) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true
    },
    mend: () => {
      isCut = false
      breakAll()
    },
    [Symbol.asyncDispose]: async () => {
      breakAll()
      server.close()
      await once(server, 'close')
    },
  }
}
