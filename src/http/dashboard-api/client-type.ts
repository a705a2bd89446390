import type { Hono } from 'hono'
import type { ExtractSchema, MergeSchemaPath } from 'hono/types'
import type { nouns } from './app.ts'
import type { DashboardEnv } from './env.ts'

/** The API as Hono's typed client knows it: `hc<DashboardApi>(origin).api.companies.$get(…)`. */
export type DashboardApi = Hono<DashboardEnv, MergeSchemaPath<ExtractSchema<typeof nouns>, '/api'>>
