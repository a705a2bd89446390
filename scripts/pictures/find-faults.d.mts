/** What a script can see to be wrong with how the page is laid out in which it runs; a line each. */
export function findFaults(): string[]
