/** A proxy before a PostgreSQL server that lets a statement take effect and loses its answer. */
import { connect, createServer } from 'node:net'
import type { Connection } from '../../src/infra/database/connect.ts'
import { addressOf, atPort } from './database-proxy.ts'
import { listenLocally } from './local-server.ts'
import { readMessages } from './pooler.ts'

type Armed = { statement: RegExp; thenDown: boolean; isLost(): void }

const BY_CHANCE: Armed = { statement: /./, thenDown: false, isLost() {} }

/** The message of a server that is ready; responses to statements begin after it. */
const READY = 'Z'
const IS_IN_TRANSACTION = 'T'.charCodeAt(0)

export type LosingProxy = Awaited<ReturnType<typeof startLosingProxy>>

export async function startLosingProxy(behind: Connection) {
  let armed: Armed | null = null
  let cutBefore: RegExp | null = null
  let isByChance: (() => boolean) | null = null
  let isDown = false

  function down() {
    isDown = true
    cut()
  }

  const server = createServer((client) => {
    if (isDown) {
      client.destroy()
      return
    }
    const far = connect(addressOf(behind))
    client.once('close', () => far.destroy())
    far.once('close', () => client.destroy())
    const texts = new Map<string, string>()
    /**
     * The connection has sent the statement that `losing` is about; later responses of the server are held
     * back.
     */
    let losing: Armed | null = null
    let held: Buffer[] = []
    readMessages(client, true, ({ type, bytes }) => {
      const text = statementOf(type, bytes, texts)
      if (text !== null && cutBefore?.test(text)) {
        cutBefore = null
        client.destroy()
        return
      }
      if (text !== null && armed?.statement.test(text)) {
        losing = armed
        armed = null
      } else if (text !== null && isByChance?.()) losing ??= BY_CHANCE
      far.write(bytes)
    })
    readMessages(far, false, ({ type, bytes }) => {
      if (losing === null) {
        client.write(bytes)
        return
      }
      held.push(bytes)
      if (type !== READY) return
      // A statement in a transaction takes effect with its commit.
      if (bytes[5] === IS_IN_TRANSACTION) {
        for (const one of held) client.write(one)
        held = []
        return
      }
      if (losing.thenDown) down()
      client.destroy()
      losing.isLost()
    })
  })
  const { port, cut, close } = await listenLocally(server)
  return {
    /** The same database through the proxy. */
    connection: atPort(behind, port),
    /**
     * Cuts the connection of the next statement that matches, once the server has committed it and before the
     * client gets the response. Resolves when that has happened. With `thenDown` it refuses all connections
     * afterwards, until `up`.
     */
    loseAnswerTo: (statement: RegExp, { thenDown = false } = {}) =>
      new Promise<void>((isLost) => {
        armed = { statement, thenDown, isLost }
      }),
    /** Loses the responses of statements in the same way whenever `chance` returns true. Null ends it. */
    loseByChance(chance: (() => boolean) | null) {
      isByChance = chance
    },
    /** Cuts the connection of the next statement that matches before the server gets it. */
    cutBefore(statement: RegExp) {
      cutBefore = statement
    },
    /** Cuts every connection, and refuses new ones until `up`. */
    down,
    up() {
      isDown = false
    },
    close,
  }
}

/** Returns the text of the statement that a message asks to run, or null when it asks for none. */
function statementOf(type: string, bytes: Buffer, texts: Map<string, string>): string | null {
  const words = bytes.subarray(5).toString('utf8').split('\0')
  if (type === 'Q') return words[0]!
  if (type === 'P') texts.set(words[0]!, words[1]!)
  // The name of the portal precedes that of the statement.
  return type === 'B' ? (texts.get(words[1]!) ?? null) : null
}
