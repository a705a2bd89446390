import { describe, expect, test } from 'vitest'
import { isCommonPassword } from '../../../src/rules/accounts/common-password.ts'

describe('A password that guessers try first', () => {
  test.each([
    'password1234',
    'Password@2026',
    'P@ssw0rd1234',
    'we1come-we1come',
    'passwordpassword',
    'qwertyuiop123',
    '123456789012',
    'aaaaaaaaaaaa',
    'abcdefghijkl',
    '1qaz2wsx3edc',
    'Welcome12345!',
    'admin123admin',
    'iloveyou2026',
    'Riyadh@123456',
    'Mohammed1234',
    'Ahmed2026!!!',
    'ضصثقفغعهخحج1',
    '987654321098',
    'letmein-letmein',
    'Ｐａｓｓｗｏｒｄ１２３４',
  ])('%s is refused', (password) => expect(isCommonPassword(password)).toBe(true))
})

describe('A password of one’s own', () => {
  test.each([
    'correct horse battery',
    'tall lamp under 7 figs',
    'نخلة تحت المطر الخفيف',
    'kV9#mQ2!xT7z',
    'a-password-that-holds',
    'my cat eats olives',
    'Zaytoun-w-khobz',
  ])('%s may be chosen', (password) => expect(isCommonPassword(password)).toBe(false))
})
