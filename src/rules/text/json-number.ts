/** A JSON number that a double does not reproduce as it was written: `49.90`, `1e3`, one of 40 digits. */
export class JsonNumber {
  // A private field, so that no code reads it as an ordinary object.
  readonly #text: string

  /** @param text a number as JSON has them */
  constructor(text: string) {
    this.#text = text
  }

  /** Returns the number as it was written. */
  get text(): string {
    return this.#text
  }
}
