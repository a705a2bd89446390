/** More of a list, while what has changed in it is being read. Spec: Dashboard › Live updates. */
import { expect, test } from 'vitest'
import { showMore, type LongList } from '../../src/dashboard/parts/show-more.ts'

/** As the library has it: of two reads at once there is one, the first unless the second is to break it off. */
function listOf(pages: string[], underWay: Promise<string[]> | null) {
  const state = { pages, underWay }
  const told = () => ({ data: { pages: state.pages }, hasNextPage: true, isError: false })
  const fetchNextPage: LongList['fetchNextPage'] = async ({ cancelRefetch = true } = {}) => {
    if (state.underWay && !cancelRefetch) {
      state.pages = await state.underWay
      state.underWay = null
    } else state.pages = [...state.pages, 'next']
    return told()
  }
  return { state, list: { data: { pages }, fetchNextPage } }
}

test('what is being read anew is waited for, and not broken off by the next page', async () => {
  const { list, state } = listOf(['before'], Promise.resolve(['changed']))
  await showMore(list)
  expect(state.pages).toEqual(['changed', 'next'])
})

test('a list that is at rest is read on by one page', async () => {
  const { list, state } = listOf(['first'], null)
  await showMore(list)
  expect(state.pages).toEqual(['first', 'next'])
})
