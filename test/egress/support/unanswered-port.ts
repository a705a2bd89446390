import { connect, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'

/** A program that listens with the shortest queue, reports its port, and never looks at the queue again. */
const LISTENER = `
  const { createServer } = require('node:net')
  const { parentPort } = require('node:worker_threads')
  const server = createServer()
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port)
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
  })
`

/** Creates a port whose queue is full: a connection to it neither opens nor is refused. */
export async function createUnansweredPort(): Promise<{ port: number; close(): Promise<void> }> {
  const worker = new Worker(LISTENER, { eval: true })
  const port = await new Promise<number>((resolve) => worker.once('message', resolve))
  const fillers: Socket[] = []
  // The kernel completes a few connections alone; the first that stays closed fills the queue.
  for (let filled = 0; filled < 16; filled += 1) {
    const filler = connect(port, '127.0.0.1')
    fillers.push(filler)
    filler.on('error', () => undefined)
    const opened = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), 2_000)
      filler.once('connect', () => {
        clearTimeout(timer)
        resolve(true)
      })
    })
    if (!opened) break
  }
  return {
    port,
    async close() {
      for (const filler of fillers) filler.destroy()
      await worker.terminate()
    },
  }
}
