/**
 * A rule for the linter: a loop of a test that awaits has an end by real time. Only counted loops
 * (`for` with a bound and a step, `for … of`) may await; all else goes through test/support/wait.ts.
 */
const FUNCTIONS = new Set([
  'ArrowFunctionExpression',
  'FunctionExpression',
  'FunctionDeclaration',
  'MethodDefinition',
])
const BOUNDS = new Set(['<', '<=', '>', '>='])

/** Returns whether a node of this kind is among the node and its descendants, without inner functions. */
function holds(node, isOne) {
  if (Array.isArray(node)) return node.some((one) => holds(one, isOne))
  if (typeof node?.type !== 'string' || FUNCTIONS.has(node.type)) return false
  if (isOne(node)) return true
  return Object.entries(node).some(
    ([key, value]) => key !== 'parent' && typeof value === 'object' && holds(value, isOne),
  )
}

const isAwait = ({ type, await: isOfAwait }) => type === 'AwaitExpression' || isOfAwait === true
const isBound = ({ type, operator }) => type === 'BinaryExpression' && BOUNDS.has(operator)
const isCounted = ({ type, test, update }) =>
  type === 'ForStatement' && Boolean(update) && holds(test, isBound)

export const boundedWait = {
  create(context) {
    function check(node) {
      if (!holds([node.test, node.update, node.body], isAwait) || isCounted(node)) return
      context.report({
        node,
        message: 'This may wait for ever: use waitUntil or repeatWhile of test/support/wait.ts.',
      })
    }
    return { WhileStatement: check, DoWhileStatement: check, ForStatement: check }
  },
}
