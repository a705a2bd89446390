import { FLOW_STATES } from '../../core/vocabulary/flows.ts'
import { searchReader, textIn, type RawSearch } from '../app/search-params.ts'
import { page } from '../frame/routes.tsx'

const readListSearch = searchReader({ q: 'text', state: FLOW_STATES })

const readNames = searchReader({
  /** The open step, or the trigger. */
  step: 'text',
  view: ['list'],
  tab: ['problems', 'variables'],
  versions: 'flag',
})

type Names = ReturnType<typeof readNames>
type BuilderSearch = { [Name in keyof Names]?: Names[Name] | undefined } & {
  /** The published version that is shown instead of the draft. */
  version?: number | undefined
}

function readBuilderSearch(raw: RawSearch): BuilderSearch {
  const version = textIn(raw, 'version')
  // A text that is no number leads to the page that says that the version does not exist.
  return { ...readNames(raw), ...(version !== undefined && { version: Number(version) || 0 }) }
}

export const flowsRoutes = [
  page('flows', () => import('./Flows.tsx'), 'Flows', readListSearch),
  page('flows/$flowId', () => import('./builder/Builder.tsx'), 'Builder', readBuilderSearch),
  page('flows/$flowId/hook', () => import('./hook/HookPage.tsx'), 'HookPage'),
] as const
