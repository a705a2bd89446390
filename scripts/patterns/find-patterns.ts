/** Finds the regular expressions of the sources. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'

/** A pattern as it is written: `/source/flags`. */
export type Pattern = string
/** The patterns with the files that contain them, and the files that build patterns inside of functions. */
export type Found = { patterns: Map<Pattern, Set<string>>; builtAtRun: Set<string> }

/**
 * Returns every regular expression of these files: the literals, and those that their modules build while they load.
 */
export async function findPatterns(root: string, files: readonly string[]): Promise<Found> {
  const found: Found = { patterns: new Map(), builtAtRun: new Set() }
  const toLoad = files.filter((file) => readFile(root, file, found))
  const built = recordBuilt(root, new Set(files))
  for (const file of toLoad) await import(pathToFileURL(path.join(root, file)).href)
  for (const { pattern, file } of built.end()) add(found, pattern, file)
  return found
}

function add({ patterns }: Found, pattern: Pattern, file: string): void {
  patterns.set(pattern, (patterns.get(pattern) ?? new Set()).add(file))
}

/** Adds the literals of a file, and returns whether it calls `RegExp` anywhere. */
function readFile(root: string, file: string, found: Found): boolean {
  const text = readFileSync(path.join(root, file), 'utf8')
  let functions = 0
  let isBuilding = false
  const enter = () => void functions++
  const leave = () => void functions--
  const onBuild = ({ callee }: { callee: { type: string; name?: string } }) => {
    if (callee.name !== 'RegExp') return
    if (functions > 0) found.builtAtRun.add(file)
    isBuilding = true
  }
  const { program } = parseSync(file, text)
  new Visitor({
    Literal(node) {
      if ('regex' in node) add(found, `/${node.regex.pattern}/${node.regex.flags}`, file)
    },
    NewExpression: (node) => onBuild(node as Parameters<typeof onBuild>[0]),
    CallExpression: (node) => onBuild(node as Parameters<typeof onBuild>[0]),
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
  }).visit(program)
  return isBuilding
}

/** Records every `new RegExp` of these files until `end` is called, which returns them. */
function recordBuilt(root: string, files: ReadonlySet<string>) {
  const built: { pattern: Pattern; file: string }[] = []
  const project = `${pathToFileURL(root).href}/`
  const Plain = globalThis.RegExp
  globalThis.RegExp = new Proxy(Plain, {
    construct(target, args, newTarget) {
      const made = Reflect.construct(target, args, newTarget) as RegExp
      const caller = new Error().stack?.split('\n')[2] ?? ''
      const at = caller.indexOf(project)
      const file = caller.slice(at + project.length).replace(/:\d+:\d+\)?$/, '')
      if (at >= 0 && files.has(file)) {
        built.push({ pattern: `/${made.source}/${made.flags}`, file })
      }
      return made
    },
  })
  return {
    end() {
      globalThis.RegExp = Plain
      return built
    },
  }
}
