/** Whether tests run at full size, as `npm run test:all` has them: every route, every width, many kills. */
export const IS_FULL_SIZE = process.env.TESTS === 'all'
