import type { Kysely, Selectable } from 'kysely'
import type { AssistantView } from '../../contract/dashboard/assistant.ts'
import type { Assistant, DB } from '../../infra/database/tables.ts'
import { ASSISTANT_DEFAULTS } from '../../core/limits/assistant-setup.ts'
import { hasUsableModel, readAbilities, type ModelAbilities } from '../models/has-usable-model.ts'
import type { ModelDeps } from '../models/model-access.ts'
import type { AssistantTone } from '../../core/vocabulary/assistant-setup.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import { readHandoverTexts } from './handover-texts.ts'

/** The dependencies for reading the settings and the state: the database, and access to models. */
export type AssistantDeps = Pick<ModelDeps, 'db' | 'models'>

/** The saved settings of an assistant, or the defaults. */
export type AssistantSettings = Omit<AssistantView, 'state' | 'able' | 'updatedAt'> & {
  updatedAt: Date | null
}

const DEFAULTS: AssistantSettings = {
  isOn: false,
  name: null,
  profile: '',
  guidance: '',
  tone: 'friendly',
  language: 'ar',
  ...ASSISTANT_DEFAULTS,
  texts: readHandoverTexts(null),
  leadCriteria: '',
  handsOverQualified: true,
  transcribes: false,
  readsImages: false,
  readableFields: [],
  tags: [],
  revision: 0,
  updatedAt: null,
}

/** Returns the settings of a company's assistant, and its state: on, off or no model. Spec: Assistant › Settings. */
export async function showAssistant(
  { db, models }: AssistantDeps,
  { companyId, accountId }: { companyId: string; accountId: string },
): Promise<AssistantView> {
  const [settings, usable] = await Promise.all([
    readAssistant(db.kysely, companyId),
    readUsableModels({ db, models }, accountId),
  ])
  return viewAssistant(settings, usable)
}

/** The models of an account: whether one can be called, and their additional abilities. */
export type UsableModels = ModelAbilities & { hasModel: boolean }

/** Loads whether an account has a usable language model, and what its models can do. */
export async function readUsableModels(
  deps: AssistantDeps,
  accountId: string,
): Promise<UsableModels> {
  const [hasModel, abilities] = await Promise.all([
    hasUsableModel(deps, accountId),
    readAbilities(deps, accountId),
  ])
  return { hasModel, ...abilities }
}

/** Loads the settings of a company's assistant, or the defaults. */
export async function readAssistant(db: Kysely<DB>, companyId: string): Promise<AssistantSettings> {
  const row = await db
    .selectFrom('assistant')
    .select(['isOn', 'name', 'profile', 'guidance', 'tone', 'debounceMs', 'texts', 'leadCriteria'])
    .select(['language', 'transcribes', 'readsImages'])
    .select(['qualifyAt', 'handsOverQualified', 'readableFields', 'tags', 'revision', 'updatedAt'])
    .where('companyId', '=', companyId)
    .executeTakeFirst()
  return row ? settingsOf(row) : DEFAULTS
}

function settingsOf(row: Omit<Selectable<Assistant>, 'companyId'>): AssistantSettings {
  const texts = readHandoverTexts(row.texts)
  return { ...row, tone: row.tone as AssistantTone, language: row.language as Language, texts }
}

/** Converts the assistant's settings to their view. */
export function viewAssistant(
  { updatedAt, ...settings }: AssistantSettings,
  { hasModel, hears, sees }: UsableModels,
): AssistantView {
  const isAble = hasModel ? 'on' : 'no_model'
  return {
    ...settings,
    able: { transcribes: hears, readsImages: sees },
    state: settings.isOn ? isAble : 'off',
    updatedAt: updatedAt?.toISOString() ?? null,
  }
}
