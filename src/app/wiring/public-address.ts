import type { Config } from '../config.ts'

/** Where the service listens, and how others reach it. */
export type PublicAddress = {
  /** Returns the public origin, without a trailing slash. */
  publicUrl(): string
  /** Notes the port that the server listens on. */
  listensOn(port: number): void
}

/** A port that the system chose is known once the server listens. */
export function createPublicAddress({ baseUrl, port }: Config): PublicAddress {
  let listening = port
  return {
    publicUrl: () => baseUrl.replace(/:0$/, `:${listening}`),
    listensOn(chosen) {
      listening = chosen
    },
  }
}
