/** True when tests run at full size, as with `npm run test:all`: every route, every width, many kills. */
export const IS_FULL_SIZE = process.env.TESTS === 'all'
