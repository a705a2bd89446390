import { readFields, readId, readJson, readList } from './read-values.ts'

/** More than any webhook names; what lies beyond is left to fail its verification. */
const NAMES_MAX = 64
const NAME = /^[A-Za-z0-9_.-]{1,64}$/

/**
 * The phone number ids (`routes`) and business account ids (`accounts`) that a webhook names, to
 * pick the secrets it may be signed with. Nothing in it is trusted yet: it is bounded, holds plain
 * ids only, and throws nothing.
 */
export function readRoutes(rawBody: Uint8Array): { routes: string[]; accounts: string[] } {
  const routes = new Set<string>()
  const accounts = new Set<string>()
  for (const item of readList(readFields(readJson(rawBody)).entry)) {
    const entry = readFields(item)
    add(accounts, entry.id)
    for (const change of readList(entry.changes)) {
      const value = readFields(readFields(change).value)
      add(routes, readFields(value.metadata).phone_number_id)
      add(accounts, readFields(value.waba_info).waba_id)
    }
  }
  return { routes: [...routes], accounts: [...accounts] }
}

function add(names: Set<string>, value: unknown): void {
  const name = readId(value)
  if (name !== undefined && NAME.test(name) && names.size < NAMES_MAX) {
    names.add(name)
  }
}
