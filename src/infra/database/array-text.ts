/**
 * Returns a list of texts in PostgreSQL's own notation of an array, to be cast to `text[]`: a value within an array of
 * parameters cannot be a list itself.
 */
export const arrayText = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`
