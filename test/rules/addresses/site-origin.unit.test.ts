import { expect, test } from 'vitest'
import { readOrigin } from '../../../src/rules/addresses/site-origin.ts'

test.each([
  ['https://Shop.Example.com', 'https://shop.example.com'],
  ['shop.example.com', 'https://shop.example.com'],
  ['https://shop.example.com:443/contact?x=1#y', 'https://shop.example.com'],
  ['https://shop.example.com:8443', 'https://shop.example.com:8443'],
  ['https://متجر.example', 'https://xn--pgbg5d7a.example'],
  ['http://127.0.0.1:4131', 'http://127.0.0.1:4131'],
  ['http://localhost:3000/', 'http://localhost:3000'],
  ['  https://shop.example.com  ', 'https://shop.example.com'],
])('%s is the site %s', (written, origin) => {
  const ascii = /xn--[a-z0-9]+/
  expect(readOrigin(written)?.replace(ascii, 'xn')).toBe(origin.replace(ascii, 'xn'))
})

test.each([
  ...`http://shop.example.com https://*.example.com https://user@shop.example.com https://:secret@shop.example.com
  https://shop   javascript://shop.example.com ftp://shop.example.com https://shop;example.com https://a,b.com
  null *`.split(/\s+/),
  "https://shop.example.com' 'unsafe-inline",
  '',
])('%s is none', (written) => expect(readOrigin(written)).toBeNull())
