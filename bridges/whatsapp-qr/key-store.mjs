/**
 * The keys of a number, as Baileys reads them: in memory, with a callback for every change. Related keys share one of a
 * few bundles of each kind, so that a thousand keys are not a thousand rows. `codec` turns values with bytes into text
 * and back.
 */
import { createHash } from 'node:crypto'

const BUNDLES = 32
const CREDS = 'creds'

/**
 * Returns the name of the bundle for an id. Ids may contain any character; names consist of letters, digits and `/`.
 */
function bundleOf(type, id) {
  return `key/${type}/${createHash('sha256').update(id).digest().readUInt16BE() % BUNDLES}`
}

/**
 * Creates the key store of a number that Baileys reads and writes, from the texts that the client has stored.
 * @param kept the stored texts by name, none for a new number
 * @param onKeep gets the name and text of each change, null for a deletion
 * @param codec { write(value): string, read(text): value, newCreds(): value, readKey(type, value): value }
 */
export function createKeyStore(kept, onKeep, codec) {
  const bundles = new Map()
  for (const [name, text] of Object.entries(kept)) {
    if (name !== CREDS) bundles.set(name, codec.read(text))
  }
  const creds = kept[CREDS] === undefined ? codec.newCreds() : codec.read(kept[CREDS])

  return {
    creds,
    isNew: kept[CREDS] === undefined,
    keepCreds() {
      onKeep(CREDS, codec.write(creds))
    },
    keys: {
      async get(type, ids) {
        const found = {}
        for (const id of ids) {
          const value = bundles.get(bundleOf(type, id))?.[id]
          if (value !== undefined && value !== null) found[id] = codec.readKey(type, value)
        }
        return found
      },
      async set(data) {
        const changed = new Set()
        for (const [type, values] of Object.entries(data)) {
          for (const [id, value] of Object.entries(values ?? {})) {
            const name = bundleOf(type, id)
            const bundle = bundles.get(name) ?? {}
            if (value === null || value === undefined) delete bundle[id]
            else bundle[id] = value
            bundles.set(name, bundle)
            changed.add(name)
          }
        }
        for (const name of changed) {
          const bundle = bundles.get(name)
          const isEmpty = Object.keys(bundle).length === 0
          if (isEmpty) bundles.delete(name)
          onKeep(name, isEmpty ? null : codec.write(bundle))
        }
      },
    },
    /** Deletes the keys, which are invalid now. */
    wipe() {
      for (const name of bundles.keys()) onKeep(name, null)
      bundles.clear()
      onKeep(CREDS, null)
    },
  }
}
