/**
 * A rule for the linter: texts of the dashboard are in its dictionaries, in both languages. Text in the markup, or in
 * an attribute that people read or hear, is refused; code, keys and ids belong into an element for them.
 */
/** Attributes whose values people read or hear. */
const READ = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'description',
  'label',
  'lead',
  'placeholder',
  'title',
])
/** Elements whose contents are not translated. */
const CODE = new Set(['Ltr', 'Kbd', 'code', 'kbd', 'pre'])
const LETTER = /\p{L}/u
const MESSAGE = 'Texts of the interface are in a words.ts, in English and Arabic: t(…).'

function textOf(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.raw).join('')
  if (node?.type === 'JSXExpressionContainer') return textOf(node.expression)
  return ''
}

export const looseText = {
  meta: { type: 'problem' },
  create(context) {
    const report = (node) => context.report({ node, message: MESSAGE })
    const isCode = ({ parent }) =>
      parent?.type === 'JSXElement' && CODE.has(parent.openingElement.name.name)
    return {
      JSXText(node) {
        if (LETTER.test(node.value.replaceAll(/&#?\w+;/g, '')) && !isCode(node)) report(node)
      },
      JSXExpressionContainer(node) {
        const isChild = node.parent?.type === 'JSXElement' || node.parent?.type === 'JSXFragment'
        if (isChild && LETTER.test(textOf(node.expression)) && !isCode(node)) report(node)
      },
      JSXAttribute(node) {
        const { name, namespace } = node.name
        const read = namespace ? `${namespace.name}:${name.name}` : name
        if (READ.has(read) && LETTER.test(textOf(node.value))) report(node)
      },
    }
  },
}
