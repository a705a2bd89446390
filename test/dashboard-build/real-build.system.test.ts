/** The dashboard of this project, as `npm test` has built it before: whole, served, and within its budget. */
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { measureBuild } from '../../scripts/dashboard/measure-build.ts'
import { hashSources } from '../../src/dashboard-build/hash-sources.ts'
import { placesOf, PROJECT } from '../../src/dashboard-build/places.ts'
import { readBuild } from '../../src/dashboard-build/read-build.ts'
import { startBrowser } from '../support/browser.ts'
import { createWorld, type World } from '../support/service.ts'

const places = placesOf(PROJECT)

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

test('It was built of the sources that are there, and stays within its budget', async () => {
  const build = await readBuild(places.build)
  expect(build!.sources).toBe(await hashSources(PROJECT))
  const { entry, parts, isWithin } = measureBuild(places.build)
  expect({ entry, parts, isWithin }).toMatchObject({ isWithin: true })
  expect(entry.kilobytes).toBeGreaterThan(10)
  for (const [name, { bytes, br, isHashed }] of build!.files) {
    if (isHashed && bytes.length > 10_000 && /\.(js|css)$/.test(name)) expect(br).not.toBeNull()
  }
  expect([...build!.files.keys()].filter((name) => path.basename(name).startsWith('.'))).toEqual([])
})

test('A browser runs it under its policy, and asks no other address', async () => {
  const browser = await startBrowser()
  try {
    const page = await browser.newPage()
    const complaints: string[] = []
    const asked = new Set<string>()
    page.on('console', (line) => {
      if (/Content Security Policy|Refused to/i.test(line.text())) complaints.push(line.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('request', (request) => asked.add(new URL(request.url()).origin))
    await page.goto(`${world.url}/sign-in`)
    await page.waitForFunction('document.querySelector("#root").childElementCount > 0')
    expect(complaints).toEqual([])
    expect([...asked]).toEqual([world.url])
  } finally {
    await browser.close()
  }
})
