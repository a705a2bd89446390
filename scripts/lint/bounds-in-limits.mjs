/**
 * A rule for the linter: the bounds of a schema are constants of `limits/`, so that a test compares them with the
 * reference. A bound of one digit that follows from the format, such as the first digit of a status, may be in the
 * schema.
 */
const BOUNDS = new Set(['max', 'min', 'length', 'lt', 'lte', 'gt', 'gte'])
const MESSAGE =
  'A bound is a constant of limits/, with its unit in the name (CONTRIBUTING.md, "How to add": a limit).'

export const boundsInLimits = {
  create(context) {
    return {
      CallExpression({ callee, arguments: args }) {
        if (callee.type !== 'MemberExpression' || !BOUNDS.has(callee.property.name)) return
        const [bound] = args
        if (args.length === 1 && bound.type === 'Literal' && bound.value >= 10) {
          context.report({ node: bound, message: MESSAGE })
        }
      },
    }
  },
}
