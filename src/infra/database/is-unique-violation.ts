/** Returns whether a statement failed because another row has the same values in this unique index. */
export function isUniqueViolation(error: unknown, index: string): boolean {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown }
  return code === '23505' && constraint === index
}
