import { expect, test } from 'vitest'
import { findDelimiter } from '../../../src/rules/text/csv-delimiter.ts'

test.each([
  ['a comma', 'name,price\nCup,10', ','],
  ['a semicolon', 'name;price\nCup;10,5', ';'],
  ['a tab', 'name\tprice, in riyals\tsize\n', '\t'],
  ['a bar', 'name|price', '|'],
  ['one outside of quotes', '"name, as on the shelf, today";price\n', ';'],
  ['one after a line break in quotes', '"name,\nas, written";price;size\n', ';'],
  ['a comma where there is none', 'name\nCup', ','],
  ['a comma in nothing', '', ','],
])('The delimiter of a file is found by its first row: %s.', (_, text, delimiter) => {
  expect(findDelimiter(text)).toEqual({ delimiter, start: 0 })
})

test.each([
  ['sep=;\nname;price', ';', 6],
  ['\ufeffSEP=,\r\nname;one,price', ',', 8],
  ['sep=|', '|', 5],
])('A first line that names the delimiter is no row: %j', (text, delimiter, start) => {
  expect(findDelimiter(text)).toEqual({ delimiter, start })
})

test('A first row whose name only begins like that names no delimiter', () => {
  expect(findDelimiter('sep=total;price\n')).toEqual({ delimiter: ';', start: 0 })
})
