import type { Config } from '../config.ts'

/** The address on which the service listens, and the one by which others reach it. */
export type PublicAddress = {
  /** Returns the public origin, without a trailing slash. */
  publicUrl(): string
  /** Notes the port that the server listens on. */
  listensOn(port: number): void
}

/**
 * Creates the public origin of the service, by which links and webhook addresses begin. A port that the system chose is
 * known once the server listens.
 */
export function createPublicAddress({ baseUrl, port }: Config): PublicAddress {
  let listening = port
  return {
    publicUrl: () => baseUrl.replace(/:0$/, `:${listening}`),
    listensOn(chosen) {
      listening = chosen
    },
  }
}
