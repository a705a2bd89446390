/** A line between a browser and the service that can be cut and mended. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type CutLine = {
  /** Origin of the service at the other end of the line. */
  url: string
  /** Ends every connection, and takes none until it is mended. */
  cut(): void
  mend(): void
  close(): Promise<void>
}

export async function drawLine(to: string): Promise<CutLine> {
  const { hostname, port } = new URL(to)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return void near.destroy()
    const far = connect(Number(port), hostname)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const end = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true
      end()
    },
    mend() {
      isCut = false
    },
    async close() {
      end()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
