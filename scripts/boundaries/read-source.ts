/** Reads the imports of a source file, and the calls that bypass import rules. */
import { parseSync, Visitor } from 'oxc-parser'

/** An import or re-export of a source file. */
export type Import = {
  /** The specifier as written; null when it is not a plain string and cannot be checked. */
  specifier: string | null
  /** True when only types are imported, so that the program does not load the module. */
  isType: boolean
  line: number
}
/** A call that the rules forbid, such as `Date.now` or `require`, with its line. */
export type Forbidden = { what: string; line: number }

/** Functions that load modules without an `import`, which no rule sees. */
const LOADERS = new Set(['require', 'createRequire', 'getBuiltinModule', 'eval'])

/**
 * Returns the imports of a source file, and the constructs in it that the rules forbid.
 * @throws when the file cannot be parsed.
 */
export function readSource(
  file: string,
  text: string,
): { imports: Import[]; forbidden: Forbidden[] } {
  const { program, module, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`)
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  const imports: Import[] = []
  const forbidden: Forbidden[] = []
  const take = (specifier: string | null, offset: number, isType = false) =>
    imports.push({ specifier, isType, line: lineAt(offset) })
  const refuse = (what: string, offset: number) => forbidden.push({ what, line: lineAt(offset) })

  for (const { moduleRequest, entries, start } of module.staticImports) {
    take(moduleRequest.value, start, entries.length > 0 && entries.every(({ isType }) => isType))
  }
  for (const found of module.staticExports) {
    const request = found.entries.find(({ moduleRequest }) => moduleRequest)?.moduleRequest
    if (request) take(request.value, found.start)
  }
  new Visitor({
    ImportExpression({ source, start }) {
      take(
        source.type === 'Literal' && typeof source.value === 'string' ? source.value : null,
        start,
      )
    },
    TSImportType({ source, start }) {
      take(source.value, start, true)
    },
    TSExternalModuleReference({ start }) {
      refuse('import … = require()', start)
    },
    Identifier({ name, start }) {
      if (LOADERS.has(name)) refuse(name, start)
    },
    NewExpression({ callee, arguments: given, start }) {
      if (callee.type !== 'Identifier') return
      if (callee.name === 'Date' && given.length === 0) refuse('new Date()', start)
      if (callee.name === 'Function') refuse('new Function()', start)
    },
    MemberExpression({ object, property, start }) {
      if (object.type !== 'Identifier' || property.type !== 'Identifier') return
      const name = `${object.name}.${property.name}`
      if (name === 'Date.now' || name === 'Math.random') refuse(name, start)
    },
  }).visit(program)
  return { imports, forbidden }
}
