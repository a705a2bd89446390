/** The types of `verify-signature.mjs`. */
export declare function verifySignature(delivery: {
  /** The `X-Service-Signature` header, as received. */
  header: string | string[] | null | undefined
  /** The raw bytes of the body. */
  body: Uint8Array
  /** Your signing secrets, whole, with their `whsec_` prefix. */
  secrets: readonly (string | undefined)[]
  now?: Date
  toleranceSeconds?: number
}): boolean
