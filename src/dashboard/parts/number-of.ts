/** Returns the number in a field. An emptied field is NaN, which the API refuses at the field; `Number('')` is 0. */
export const numberOf = (typed: string | number): number =>
  typed === '' ? Number.NaN : Number(typed)
