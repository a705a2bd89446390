import { Fragment, type ReactNode } from 'react'
import { indentedJson, readJson } from '../../rules/text/json-text.ts'
import styles from './json.module.css'

/**
 * A JSON text with a member per line, always from left to right; Arabic strings keep their own direction. Invalid JSON
 * is shown unchanged.
 */
export function JsonView({ text, label }: { text: string; label: string }) {
  const lines = printed(text)
  return (
    // Keyboard users need the focus on an element to scroll it.
    <div className={styles.json} dir="ltr" role="region" aria-label={label} tabIndex={0}>
      <ol>
        {lines.map((line, at) => (
          <li key={at}>
            <code>{coloured(line)}</code>
          </li>
        ))}
      </ol>
    </div>
  )
}

function printed(text: string): string[] {
  const json = readJson(text)
  return (json.ok ? indentedJson(json.value) : text).split('\n')
}

/** A line of JSON in four parts, such as `  "name": "value",`: indent, key, value and comma. */
const LINE = /^( *)("(?:[^"\\]|\\.)*": )?(.*?)(,?)$/s

function coloured(line: string): ReactNode {
  const [, indent, key, value = '', comma] = LINE.exec(line) ?? []
  const kind = value.startsWith('"') ? styles.text : /^[\d\-tfn]/.test(value) ? styles.number : ''
  return (
    <>
      {indent}
      {key !== undefined && (
        <Fragment>
          <span className={styles.key}>{quoted(key.slice(0, -2))}</span>
          {': '}
        </Fragment>
      )}
      <span className={kind}>{value.startsWith('"') ? quoted(value) : value}</span>
      {comma}
    </>
  )
}

function quoted(text: string): ReactNode {
  return (
    <>
      {QUOTE}
      <bdi>{text.slice(1, -1)}</bdi>
      {QUOTE}
    </>
  )
}

const QUOTE = '"'
