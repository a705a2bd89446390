/** Every page of the dashboard is looked at by `npm run pictures`. */
import { expect, test } from 'vitest'
import { addressesOfRouter, notPictured } from '../../scripts/pictures/addresses.ts'

test('no page of the router is left out of the pictures', () => {
  expect(addressesOfRouter()).toContain('/p/$company/assistant/replies/$reply')
  expect(addressesOfRouter().length).toBeGreaterThan(60)
  expect(notPictured()).toEqual([])
})
