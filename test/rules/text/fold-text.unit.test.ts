import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldText, hasPhrase, wordsOf } from '../../../src/rules/text/fold-text.ts'

describe('Two texts are the same when they differ only in', () => {
  test.each([
    ['letter case', 'OFFER', 'offer'],
    ['space around and between', '  track \n\t order ', 'track order'],
    ['a no-break space', 'track\u00a0order', 'track order'],
    ['the tatweel', 'الغـاء', 'الغاء'],
    ['vowel marks', 'عَرْضٌ', 'عرض'],
    ['a shadda', 'مكرّر', 'مكرر'],
    ['the dagger alef', 'هٰذا', 'هذا'],
    ['an alef with hamza above', 'أهلا', 'اهلا'],
    ['an alef with hamza below', 'إلغاء', 'الغاء'],
    ['an alef with madda', 'آسف', 'اسف'],
    ['an alef with wasla', 'ٱلغاء', 'الغاء'],
    ['a hamza written apart', 'ا\u0654هلا', 'اهلا'],
    ['a ya without dots', 'شكوى', 'شكوي'],
    ['a Persian ya', 'شکوی'.replace('ک', 'ك'), 'شكوي'],
    ['a ta marbuta', 'قائمة', 'قائمه'],
    ['Arabic digits', 'عرض ٢٥', 'عرض 25'],
    ['Persian digits', 'عرض ۲۵', 'عرض 25'],
    ['full-width letters and digits', 'ＭＥＮＵ１', 'menu1'],
    ['Arabic as old systems shape it', '\ufecb\ufeae\ufebd', 'عرض'],
    ['a ligature', '\ufefb', 'لا'],
    ['marks of direction', '\u200fعرض\u200e', 'عرض'],
    ['a joiner', 'عر\u200dض', 'عرض'],
    ['a zero-width space', 'me\u200bnu', 'menu'],
    ['a soft hyphen and a byte order mark', '\ufeffme\u00adnu', 'menu'],
    ['a variation selector', '❤\ufe0f', '❤'],
  ])('%s', (_, written, folded) => expect(foldText(written)).toBe(folded))
})

describe('Two texts are different when they differ in', () => {
  test.each([
    ['a letter', 'عرض', 'عرس'],
    ['a waw with hamza', 'سؤال', 'سوال'],
    ['a digit', 'عرض ٢', 'عرض ٣'],
    ['a sign', '#1', '1'],
    ['a space', 'to day', 'today'],
  ])('%s', (_, one, other) => expect(foldText(one)).not.toBe(foldText(other)))
})

test('a folded text does not change when it is folded again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(foldText(foldText(text))).toBe(foldText(text))
    }),
  )
})

describe('The search for a phrase in a text', () => {
  test.each([
    ['menu', 'menu'],
    ['the menu please', 'menu'],
    ['menu!', 'menu'],
    ['(menu)', 'menu'],
    ['اريد عرض، لو سمحت', 'عرض'],
    ['where can i track order 5', 'track order'],
    ['submenus and menu', 'menu'],
    ['order #1, please', '#1'],
    ['yes👍ok', '👍'],
    ['5', '5'],
  ])('finds in %j the phrase %j', (text, phrase) => expect(hasPhrase(text, phrase)).toBe(true))

  test.each([
    ['menus', 'menu'],
    ['submenu', 'menu'],
    ['وعرض', 'عرض'],
    ['عرضي', 'عرض'],
    ['menu2', 'menu'],
    ['15', '5'],
    ['track my order', 'track order'],
    ['#12', '#1'],
    ['𝒳menu'.normalize('NFD'), 'menu'],
    ['menu', ''],
  ])('does not find in %j the phrase %j', (text, phrase) =>
    expect(hasPhrase(text, phrase)).toBe(false),
  )
})

test('words are runs of letters and digits', () => {
  expect(wordsOf('اريد عرض 25، لو-سمحت!')).toEqual(['اريد', 'عرض', '25', 'لو', 'سمحت'])
  expect(wordsOf('👍 !')).toEqual([])
})
