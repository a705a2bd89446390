import { describe, expect, test } from 'vitest'
import { compactJson } from '../../../src/rules/text/json-text.ts'
import { withoutMarkup } from '../../../src/rules/assistant/model-markup.ts'
import { isToolText, readWrittenCalls } from '../../../src/rules/assistant/written-calls.ts'

const ONE = [{ name: 'lookup', input: { order: '1043' } }]
const JSON_CALL = '{"name": "lookup", "arguments": {"order": "1043"}}'
const readAll = (written: string) => readWrittenCalls(withoutMarkup(written).text)

const FORMS: [string, string][] = [
  ['Qwen, Hermes', `<tool_call>\n${JSON_CALL}\n</tool_call>`],
  ['Hermes, cut at its end mark', `<tool_call>\n${JSON_CALL}`],
  ['bare', JSON_CALL],
  ['bare, in a list', `[${JSON_CALL}]`],
  ['in a fence', `\`\`\`json\n${JSON_CALL}\n\`\`\``],
  ['arguments as text', '{"name":"lookup","arguments":"{\\"order\\":\\"1043\\"}"}'],
  [
    'Llama',
    '<|python_tag|>{"type":"function","name":"lookup","parameters":{"order":"1043"}}<|eom_id|>',
  ],
  ['Llama, a tag', '<function=lookup>{"order":"1043"}</function>'],
  [
    'Qwen Coder',
    '<tool_call>\n<function=lookup>\n<parameter=order>\n1043\n</parameter>\n</function>\n</tool_call>',
  ],
  [
    'Seed',
    '<seed:tool_call><function=lookup><parameter=order>1043</parameter></function></seed:tool_call>',
  ],
  [
    'Claude in a text',
    '<function_calls><invoke name="lookup"><parameter name="order">1043</parameter></invoke></function_calls>',
  ],
  [
    'MiniMax',
    '<minimax:tool_call>\n<invoke name="lookup">\n<parameter name="order">1043</parameter>\n</invoke>\n</minimax:tool_call>',
  ],
  ['Mistral', `[TOOL_CALLS][${JSON_CALL}]`],
  ['Mistral since 2506', '[TOOL_CALLS]lookup[ARGS]{"order":"1043"}'],
  [
    'DeepSeek R1',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>lookup\n```json\n{"order":"1043"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
  [
    'DeepSeek V3.1',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>lookup<｜tool▁sep｜>{"order":"1043"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
  [
    'Kimi',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.lookup:0<|tool_call_argument_begin|>{"order":"1043"}<|tool_call_end|><|tool_calls_section_end|>',
  ],
  ['GLM', '<tool_call>lookup\n<arg_key>order</arg_key>\n<arg_value>1043</arg_value>\n</tool_call>'],
  ['Granite', `<|tool_call|>[${JSON_CALL}]`],
  ['Phi', `<|tool_call|>[${JSON_CALL}]<|/tool_call|>`],
  ['Nemotron', `<TOOLCALL>[${JSON_CALL}]</TOOLCALL>`],
  [
    'Cohere',
    '<|START_ACTION|>[{"tool_call_id":"0","tool_name":"lookup","parameters":{"order":"1043"}}]<|END_ACTION|>',
  ],
  ['functools', `functools[${JSON_CALL}]`],
  [
    'OpenAI in a text',
    '{"type":"function","function":{"name":"lookup","arguments":{"order":"1043"}}}',
  ],
  [
    'gpt-oss',
    '<|channel|>commentary to=functions.lookup <|constrain|>json<|message|>{"order":"1043"}<|call|>',
  ],
  ['ReAct', 'Action: lookup\nAction Input: {"order": "1043"}'],
  ['behind reasoning', `<think>I call lookup.</think>\n<tool_call>${JSON_CALL}</tool_call>`],
]

describe('A call that is the whole text is read', () => {
  test.each(FORMS)('in the form of %s', (_, written) => {
    expect(readAll(written)).toEqual(ONE)
    expect(isToolText(withoutMarkup(written).text)).toBe(true)
  })

  test('with several in a row, and without arguments', () => {
    const two = [...ONE, { name: 'hours', input: {} }]
    expect(readAll(`${JSON_CALL}\n{"name":"hours"}`)).toEqual(two)
    expect(
      readAll(`<tool_call>${JSON_CALL}</tool_call>\n<tool_call>{"name":"hours"}</tool_call>`),
    ).toEqual(two)
  })

  test('with every digit of its numbers', () => {
    const written = '{"order":12345678901234567890,"total":49.90}'
    const [call] = readAll(`{"name":"lookup","arguments":${written}}`)!
    expect(compactJson(call!.input)).toBe(written)
  })
})

test.each([
  `I will look. <tool_call>${JSON_CALL}</tool_call>`,
  `<think>Maybe ${JSON_CALL}</think>We open at ten.`,
  '<tool_call>{"name":"lookup","arguments":[1]}</tool_call>',
  '<tool_call>{"name":"lookup", "argu',
  '{"order":{"status":"shipped"}}',
  'We open at ten.',
  '',
])('A text with anything else is no call: %j', (written) => {
  expect(readAll(written)).toBeNull()
})

test.each([
  'Looking <tool_call>{"name":"lookup"}</tool_call>',
  '<tool_response>{"status":"shipped"}</tool_response>',
  '{"order":{"status":"shipped","carrier":"SMSA"}}',
  '["black","navy"]',
  "```tool_code\nprint(lookup(order='1043'))\n```",
  "lookup(order='1043')",
  '[lookup(order="1043"), hours()]',
  'Thought: I look.\nAction: lookup\nAction Input: 1043',
  '[TOOL_CALLS]lookup',
  '<start_function_call>call:lookup{order:<escape>1043<escape>}<end_function_call>',
  '<|tool_call>call:lookup{order:1043}<tool_call|>',
])('A call or data in a text is noticed, in whatever form: %j', (text) => {
  expect(isToolText(text)).toBe(true)
})

test.each([
  'Call the function room to see it, seats 40.',
  'Sizes are [S], [M] and [L].',
  'Action: we replace it. You need not do anything.',
  'Tools (all) are 10 % off.',
  'sofa(s) are in stock (two)',
  'The toolbox returned to the shelf costs 90 SAR.',
  '[1]: see our terms',
])('Ordinary words are no call: %j', (text) => {
  expect(isToolText(text)).toBe(false)
})
