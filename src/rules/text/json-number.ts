/** A number of a JSON text that a double does not give back as it was written: `49.90`, `1e3`, one of 40 digits. */
export class JsonNumber {
  // Private, so that nothing takes it for an object with a field.
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
