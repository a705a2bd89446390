/** Returns whether a node of a syntax tree is a statement that names tables. */
export function isTableStatement(node: { type: string }): boolean
