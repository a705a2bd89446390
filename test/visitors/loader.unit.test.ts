/** The files of the chat that a merchant's page loads, and the page that it may frame. */
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { WIDGET_FILES } from '../../src/widget/widget-files.ts'

const LOADER_KILOBYTES = 15

test('the loader is less than 15 KB of gzip, and plain code that changes nothing of the page', () => {
  const { bytes } = WIDGET_FILES.get('loader.js')!
  expect(gzipSync(bytes).length).toBeLessThan(LOADER_KILOBYTES * 1_000)
  const text = Buffer.from(bytes).toString('utf8')
  expect(text).not.toMatch(/\bimport\b|\beval\b|innerHTML|document\.write|\bcookie\b/)
})

test.each([...WIDGET_FILES.keys()].filter((name) => name.endsWith('.js')))(
  '%s never writes text as HTML',
  (name) => {
    const text = Buffer.from(WIDGET_FILES.get(name)!.bytes).toString('utf8')
    expect(text).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser/)
  },
)
