import { expect, test } from 'vitest'
import { weighJson } from '../../../src/rules/text/json-weight.ts'

const max = { depth: 4, values: 9 }
const weigh = (text: string) => weighJson(new TextEncoder().encode(text), max)

test.each([
  ['7', 0, 1],
  ['{"a":[1,2,{}]}', 3, 6],
  [String.raw`{"[,{\"":"\\","b,":"\\\""}`, 1, 3],
  ['["[[[[[[,,,,,,,,,,"]', 1, 2],
  ['[[[[[[[[', 5, 6],
  ['[1,1,1,1,1,1,1,1,1,1,1,1', 1, 10],
  ['"\\', 0, 1],
  ['', 0, 1],
])('%s is nested as deep, and has as many values', (text, depth, values) =>
  expect(weigh(text)).toEqual({ depth, values }),
)
