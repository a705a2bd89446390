/** Returns visible faults in the layout of the page in which it runs, a line each. */
export function findFaults(): string[]
