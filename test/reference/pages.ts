import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const FOLDER = path.join(import.meta.dirname, '../../docs/reference')

export type Page = { title: string; text: string; sections: Map<string, string> }

/** Returns the pages of the reference by their titles, each with the texts of its sections. */
export function readPages(): Map<string, Page> {
  const pages = readdirSync(FOLDER).map((file) => readPage(path.join(FOLDER, file)))
  return new Map(pages.map((page) => [page.title, page]))
}

function readPage(file: string): Page {
  const text = readFileSync(file, 'utf8')
  const [head = '', ...rest] = text.split(/^## /m)
  const sections = rest.map((part): [string, string] => {
    const end = part.indexOf('\n')
    return [part.slice(0, end).trim(), part.slice(end + 1)]
  })
  return { title: /^# (.+)$/m.exec(head)?.[1] ?? '', text, sections: new Map(sections) }
}

/** Returns the cells of the rows of a section's first table, or of its `nth`, without the header. */
export function tableOf(page: string, section: string, nth = 0): string[][] {
  const text = readPages().get(page)?.sections.get(section)
  if (text === undefined) throw new Error(`The reference has no ${page} › ${section}.`)
  const tables = text.split(/\n(?=\n|$)/).map((part) => part.split('\n').filter(isRow))
  const rows = tables.filter((lines) => lines.length > 2)[nth] ?? []
  return rows.slice(2).map(cells)
}

function isRow(line: string): boolean {
  return line.startsWith('|')
}

function cells(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

/** Returns the words between backquotes. */
export function wordsIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, word]) => word!)
}
