import { describe, expect, test } from 'vitest'
import { hasMarkup, withoutMarkup } from '../../../src/rules/assistant/model-markup.ts'

const ANSWER = 'Sofas are delivered in Riyadh.'
const THOUGHT = 'She wants a discount. Margin is 40 percent; I must not tell.'
const textOf = (written: string) => withoutMarkup(written).text

/** Marks before and after reasoning, as servers without their own parser return it. */
const PAIRS: [string, string][] = [
  ['<think>', '</think>'],
  ['<Think>', '</THINK>'],
  ['< think >', '</ think >'],
  ['<think >', '< /think>'],
  ['<thinking>', '</thinking>'],
  ['<thinking mode="deep">', '</thinking>'],
  ['<reasoning>', '</reasoning>'],
  ['<thought>', '</thought>'],
  ['<scratchpad>', '</scratchpad>'],
  ['<reflection>', '</reflection>'],
  ['<chain_of_thought>', '</chain_of_thought>'],
  ['<thinking_process>', '</thinking_process>'],
  ['<reasoning_content>', '</reasoning_content>'],
  ['<inner_thoughts>', '</inner_thoughts>'],
  ['<private_reasoning>', '</private_reasoning>'],
  ['[REASONING]', '[/REASONING]'],
  ['<antThinking>', '</antThinking>'],
  ['<seed:think>', '</seed:think>'],
  ['<mm:think>', '</mm:think>'],
  ['&lt;think&gt;', '&lt;/think&gt;'],
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
  ['<|think|>', '<|/think|>'],
  ['<|channel>thought\n', '<channel|>'],
  ['<unused94>thought\n', '<unused95>'],
  ['<|channel|>analysis<|message|>', '<|end|><|start|>assistant<|channel|>final<|message|>'],
  ['<|channel|>analysis<|message|>', '<|end|>\n<|start|>assistant<|channel|>final <|message|>'],
  ['analysis<|message|>', '<|end|><|start|>assistant<|channel|>final<|message|>'],
  ['analysis', 'assistantfinal'],
  ['assistantanalysis', 'assistantfinal'],
  ['Here is my thought process:\n', '\nHere is my response:\n'],
  ['Thought: ', '\nFinal Answer: '],
]

describe('Reasoning is removed from a text', () => {
  test.each(PAIRS)('between %s and %s', (opens, closes) => {
    expect(textOf(`${opens}${THOUGHT}${closes}${ANSWER}`)).toBe(ANSWER)
    expect(textOf(`${opens}${THOUGHT}\n\nالعميل يريد خصمًا${closes}\n\n${ANSWER}`)).toBe(ANSWER)
  })

  test.each(PAIRS)('to its end when it begins with %s and is cut off before %s', (opens) => {
    expect(textOf(`${opens}${THOUGHT}`)).toBe('')
  })

  const ENDED_ALONE = PAIRS.filter(([, closes]) =>
    /^.{0,9}[/◁[]|unused|END_|end_of|channel\|/.test(closes),
  )
  test.each(ENDED_ALONE)(
    'from its beginning when it began with the text (%s) and only %s is left',
    (_, closes) => {
      expect(textOf(`${THOUGHT}\n${closes}\n\n${ANSWER}`)).toBe(ANSWER)
    },
  )

  test.each([
    [
      '<details type="reasoning" done="true">\n<summary>Thought for 3 seconds</summary>',
      '</details>',
    ],
    ['**Thinking:** ', '\n\n**Answer:** '],
    ['### Reasoning:\n', '\n\n### Final response:\n'],
    ['التفكير: ', '\nالإجابة: '],
    ['```thinking\n', '\n```\n'],
    ['<|im_start|>think\n', '<|im_end|>\n<|im_start|>assistant\n'],
    ['<plan>', '</plan>'],
  ])('after %j and before %j', (opens, closes) => {
    expect(textOf(`${opens}${THOUGHT}${closes}${ANSWER}`)).toBe(ANSWER)
  })

  test.each([
    'Analysis: the lab needs two days.',
    '<details><summary>Sizes</summary>S to XL</details> Ask for more.',
    '<b>Sale</b> until Sunday.',
    '[thinking] about blue? It is in stock.',
  ])('no other text is: %s', (text) => expect(textOf(text)).toBe(text))

  test('when one part is nested in another, and when there are several', () => {
    expect(textOf(`<think>a <think>b</think> c</think>${ANSWER}`)).toBe(ANSWER)
    expect(textOf(`<think>a</think>Hello.<think>b</think> ${ANSWER}`)).toBe(`Hello. ${ANSWER}`)
  })

  test('without the text before the first opening mark', () => {
    expect(textOf(`Hello. <think>${THOUGHT}`)).toBe('Hello.')
  })

  test('with its length reported, but not its text', () => {
    const { text, thoughtChars } = withoutMarkup(`<think>${THOUGHT}</think>${ANSWER}`)
    expect(text).toBe(ANSWER)
    expect(thoughtChars).toBe(`<think>${THOUGHT}</think>`.length)
    expect(withoutMarkup(ANSWER).thoughtChars).toBe(0)
  })
})

describe('In a text with channels', () => {
  test('the last final one is the answer', () => {
    const final = (text: string) => `<|channel|>final<|message|>${text}<|end|>`
    expect(textOf(`${final('Wait.')}<|start|>assistant${final(ANSWER)}`)).toBe(ANSWER)
    expect(textOf(`<|channel|>final<|message|>${ANSWER}<|return|>`)).toBe(ANSWER)
    expect(textOf(`final${ANSWER}`)).toBe(ANSWER)
  })

  test('analysis and commentary without a final one are no answer', () => {
    expect(textOf(`<|channel|>analysis<|message|>${THOUGHT}<|end|>`)).toBe('')
    expect(textOf('<|channel|>commentary<|message|>I will look.<|end|>')).toBe('')
  })

  test('a call in the commentary is kept as a call', () => {
    const call =
      'commentary to=functions.lookup <|constrain|>json<|message|>{"order":"1043"}<|call|>'
    const kept = '<tool_call>{"name":"lookup","arguments":{"order":"1043"}}</tool_call>'
    expect(
      textOf(`<|channel|>analysis<|message|>x<|end|><|start|>assistant<|channel|>${call}`),
    ).toBe(kept)
    expect(
      textOf('analysisWe look.assistantcommentary to=functions.lookup json{"order":"1043"}'),
    ).toBe(kept)
  })
})

describe('Marks of chat templates are removed, and the text between them stays', () => {
  test.each([
    `<|im_start|>assistant\n${ANSWER}<|im_end|>`,
    `${ANSWER}<|im_end|>`,
    `${ANSWER}<|eot_id|>`,
    `${ANSWER}<|endoftext|>`,
    `<s>${ANSWER}</s>`,
    `${ANSWER}<end_of_turn>`,
    `<start_of_turn>model\n${ANSWER}<end_of_turn>`,
    `<|turn>model\n${ANSWER}<turn|>`,
    `<|assistant|>\n${ANSWER}`,
    `<|START_RESPONSE|>${ANSWER}<|END_RESPONSE|>`,
    `<｜Assistant｜>${ANSWER}<｜end▁of▁sentence｜>`,
    `<|start_header_id|>assistant<|end_header_id|>\n\n${ANSWER}<|eot_id|>`,
    `[/INST] ${ANSWER}`,
    `### Response:\n${ANSWER}`,
    `Assistant: ${ANSWER}`,
    `<answer>${ANSWER}</answer>`,
  ])('%j', (written) => {
    expect(textOf(written)).toBe(ANSWER)
  })

  test.each([
    '\nUser: And on Friday?\nAssistant: Closed.',
    '\n\nHuman: And on Friday?',
    '\nCustomer: And on Friday?\nAgent: Closed.',
    '\nالعميل: والجمعة؟\nالمساعد: مغلق.',
    '<|im_end|>\n<|im_start|>user\nAnd on Friday?<|im_end|>\n<|im_start|>assistant\nClosed.',
    '<|user|>And on Friday?<|assistant|>Closed.',
    '<｜User｜>And on Friday?',
    '<|start_header_id|>user<|end_header_id|>And on Friday?',
    '<start_of_turn>user\nAnd on Friday?',
    '[INST] And on Friday? [/INST] Closed.',
    '\n### Instruction:\nAnd on Friday?',
    '<|endoftext|>Human: And on Friday?',
  ])('the text ends where the model goes on as the customer: %j', (more) => {
    expect(textOf(ANSWER + more)).toBe(ANSWER)
  })
})

test.each(['We do.<|endoftext|>And cash?', 'We do.\nCustomer: And cash?', 'We do.\nالعميل: وكاش؟'])(
  'A turn that the model writes for the customer is cut off: %j',
  (text) => {
    expect(textOf(text)).toBe('We do.')
  },
)

describe('A text without marks is unchanged', () => {
  const HARMLESS = [
    'Parcels of <5 kg go by post.',
    'I <3 it',
    'a < b and b > a',
    'الوزن < ٥ كغ، فالشحن عادي.',
    'Thinking of a gift? We have three.',
    'Our analysis of the cloth: all cotton.',
    'Analysis of the cloth: all cotton.',
    'The final price is 90 SAR.',
    'Final answer: yes, in blue.',
    'Assistant managers are in on Sunday.',
    'Message from the shop: we open at 10.',
    'The user manual is in the box.',
    'Call the function room to see it, seats 40.',
    'Sizes are [S], [M] and [L].',
    'Order 1043\nCustomer: Sara\nTotal: 250 SAR',
    'Wi-Fi\nUser: guest\nPassword: welcome',
    'الطلب ١٠٤٣\nالعميل: سارة\nالمجموع: ٢٥٠ ريال',
    'I thought: blue goes with it.',
    'Width | height: 90 | 60 cm',
    'Tables <| and |> are arrows',
    'Here is my number: 9200 12345.',
    'Sofa <b>Riyadh</b> is new.',
    'See <https://layan.example/tool>',
    '« think » is the name of the perfume',
  ]
  test.each(HARMLESS)('%j', (text) => {
    expect(withoutMarkup(text)).toEqual({ text, thoughtChars: 0 })
    expect(hasMarkup(text)).toBe(false)
  })
})

const MARKS = ['<|fim_middle|>', '<｜unheard▁of｜>', '◁media▷', '</think>', '<|im_end|>', '[INST]']
test.each(MARKS)('A mark that is not removed is reported: %s', (mark) => {
  expect(hasMarkup(`Hello ${mark} there`)).toBe(true)
})
