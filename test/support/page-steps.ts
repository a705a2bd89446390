/** Steps of a member in a page of the dashboard, or in a part of it such as a dialog. */
import type { Locator, Page } from 'playwright-core'

type Place = Page | Locator
type Name = RegExp | string

const pageOf = (place: Place): Page => ('page' in place ? place.page() : place)

/** Presses the buttons of these names, one after the other. */
export async function press(place: Place, ...names: Name[]): Promise<void> {
  for (const name of names) await place.getByRole('button', { name }).click()
}

/** Follows the links of these names, one after the other. */
export async function follow(place: Place, ...names: Name[]): Promise<void> {
  for (const name of names) await place.getByRole('link', { name }).click()
}

/** Opens the menu of a button, and presses one of its items. */
export async function pick(place: Place, button: Name, item: Name): Promise<void> {
  await press(place, button)
  await pageOf(place).getByRole('menuitem', { name: item }).click()
}

/** Opens the list of a field, and presses one of its options. */
export async function chooseOption(place: Place, field: Name, option: Name): Promise<void> {
  await place.getByRole('combobox', { name: field }).click()
  await pageOf(place).getByRole('option', { name: option }).click()
}

/** Fills fields by their labels. */
export async function fill(
  place: Place,
  values: Readonly<Record<string, string>> | readonly (readonly [Name, string])[],
): Promise<void> {
  for (const [label, value] of Array.isArray(values) ? values : Object.entries(values)) {
    await place.getByLabel(label).fill(value)
  }
}

/** Waits until each of these texts is visible. */
export async function sees(place: Place, ...texts: Name[]): Promise<void> {
  for (const text of texts) await place.getByText(text).waitFor()
}
