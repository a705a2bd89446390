/** Finds texts of dictionaries that no code uses. */
import { parseSync, Visitor } from 'oxc-parser'

type Source = { file: string; text: string }
type Dictionary = { file: string; keys: readonly string[] }
/** Keys that a part of the code composes: `kind_${kind}` begins with `kind_`. */
type Composed = { part: string; begin: string; end: string }

const DEFINES = /^define(?:Words|WordsOf|Facts)$/
const NAMED = /['"`]([\w.]+)['"`]|\.(\w+)|\b(\w+)\??:/g
const COMPOSED = /`([\w.]*)\$\{[^`]*\}([\w.]*)`/g

/**
 * Returns a line for each text that no code names. Any code names a key as a string, a property or a member; the same
 * part of the dashboard also names a key that it composes in a template.
 */
export function findUnusedWords(sources: readonly Source[]): string[] {
  const dictionaries: Dictionary[] = []
  const named = new Set<string>()
  const composed: Composed[] = []
  for (const { file, text } of sources) {
    const { keys, code } = readDictionaries(file, text)
    if (keys.length > 0) dictionaries.push({ file, keys })
    for (const [, quoted, member, property] of code.matchAll(NAMED)) {
      named.add((quoted ?? member ?? property)!)
    }
    for (const [, begin, end] of code.matchAll(COMPOSED)) {
      if (begin !== '' || end !== '')
        composed.push({ part: partOf(file), begin: begin!, end: end! })
    }
  }
  return dictionaries.flatMap(({ file, keys }) => {
    const near = composed.filter(({ part }) => !isDashboard(file) || part === partOf(file))
    return keys
      .filter((key) => !named.has(key))
      .filter((key) => !near.some(({ begin, end }) => key.startsWith(begin) && key.endsWith(end)))
      .map((key) => `${file}: no code uses the text ${key}`)
  })
}

const isDashboard = (file: string) => file.startsWith('src/dashboard/')
const partOf = (file: string) => file.split('/').slice(0, 3).join('/')

/** Returns the keys of a file's dictionaries, and its code without them. */
function readDictionaries(file: string, text: string): { keys: string[]; code: string } {
  if (!text.includes('define')) return { keys: [], code: text }
  const keys: string[] = []
  let code = text
  new Visitor({
    CallExpression({ callee, arguments: [words] }) {
      const name = callee.type === 'CallExpression' ? callee.callee : callee
      if (name.type !== 'Identifier' || !DEFINES.test(name.name)) return
      if (words?.type !== 'ObjectExpression') return
      code = code.replace(text.slice(words.start, words.end), '')
      const [english] = words.properties
      if (english?.type !== 'Property' || english.value.type !== 'ObjectExpression') return
      for (const entry of english.value.properties) {
        if (entry.type !== 'Property') continue
        if (entry.key.type === 'Identifier') keys.push(entry.key.name)
        if (entry.key.type === 'Literal') keys.push(String(entry.key.value))
      }
    },
  }).visit(parseSync(file, text).program)
  return { keys, code }
}
