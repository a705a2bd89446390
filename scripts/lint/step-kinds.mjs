/**
 * A rule for the linter: only flow-kinds/steps compares a step's kind. All other code uses its design, so that a new
 * kind is one file. The kinds are read from the record of designs.
 */
import { readFileSync } from 'node:fs'

const RECORD = readFileSync(new URL('../../src/flow-kinds/steps/steps.ts', import.meta.url), 'utf8')
const KINDS = new Set([...RECORD.matchAll(/^ {2}([a-z_]+): [A-Z_]+,$/gm)].map(([, kind]) => kind))
if (KINDS.size === 0) throw new Error('src/flow-kinds/steps/steps.ts names no kinds of steps')
/**
 * Kinds of steps whose names the engine or the inbox uses for other things, too. They count only where the compared
 * value is called a step.
 */
const MOVES = new Set([
  'send',
  'call',
  'wait',
  'end',
  'note',
  'assign',
  'resolve',
  'tag',
  'language',
])
const COMPARISONS = new Set(['===', '!==', '==', '!='])
const MESSAGE =
  'Only flow-kinds/steps asks for kinds of steps. Ask the design: a trait of it, or a new one (flow-kinds/steps/step-design.ts).'

function bare(node) {
  const isWrapped =
    node?.type === 'ChainExpression' ||
    node?.type === 'TSNonNullExpression' ||
    node?.type === 'TSAsExpression'
  return isWrapped ? bare(node.expression) : node
}

/** Returns the name of what an expression ends in: `steps` for `flow.steps[id]`, `stepOf` for `stepOf(flow, id)`. */
function nameOf(node) {
  const { type, name, object, property, callee, computed } = bare(node) ?? {}
  if (type === 'Identifier') return name
  if (type === 'CallExpression') return nameOf(callee)
  if (type !== 'MemberExpression') return ''
  return computed ? nameOf(object) : property.name
}

const isStep = (node) => /step(s|Of|At)?$/i.test(nameOf(node))

/** Returns `of_step` for the kind of a step, `of_something` for any other kind, and null for anything else. */
function readKind(node) {
  const { type, name, object, property } = bare(node) ?? {}
  if (type === 'Identifier') return { kind: 'of_something', stepKind: 'of_step' }[name] ?? null
  if (type !== 'MemberExpression' || property.name !== 'kind') return null
  return isStep(object) ? 'of_step' : 'of_something'
}

const isKindOnly = (node) => KINDS.has(node?.value) && !MOVES.has(node.value)

export const stepKinds = {
  create(context) {
    const report = (node) => context.report({ node, message: MESSAGE })
    return {
      BinaryExpression(node) {
        if (!COMPARISONS.has(node.operator)) return
        for (const [one, other] of [
          [node.left, node.right],
          [node.right, node.left],
        ]) {
          const kind = readKind(one)
          if (kind === 'of_step' || (kind === 'of_something' && isKindOnly(other))) {
            report(node)
            return
          }
        }
      },
      SwitchStatement(node) {
        const isOfStep = readKind(node.discriminant) === 'of_step'
        if (isOfStep || node.cases.some(({ test }) => isKindOnly(test))) report(node)
      },
      CallExpression(node) {
        const method = bare(node.callee)?.property?.name
        if (method !== 'includes' && method !== 'has') return
        if (readKind(node.arguments[0]) === 'of_step') report(node)
      },
    }
  },
}
