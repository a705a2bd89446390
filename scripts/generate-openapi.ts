/**
 * Writes `openapi/webhooks.json` (OpenAPI 3.1: the hook, and the events as webhooks) and the derived
 * `openapi/webhooks-3.0.json` from the contract. With `--check` it writes nothing and ends with 1 when
 * a file is out of date. Spec: Versioning › OpenAPI.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { componentSchemas, type Json } from './openapi/component-schemas.ts'
import { hookOperation } from './openapi/hook-operation.ts'
import { toOpenApi30 } from './openapi/to-openapi-30.ts'
import { webhookOperations } from './openapi/webhook-operations.ts'

const PROJECT = path.join(import.meta.dirname, '..')

const document: Json = {
  openapi: '3.1.0',
  info: {
    title: 'Wasla: hooks and webhook events',
    version: '1.0',
    description:
      'Start automation flows from your system, and receive signed events. Fields, event types and ' +
      'values of `x-extensible-enum` may be added at any time. Ignore what you do not know.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [
    {
      url: '{base_url}',
      variables: { base_url: { default: 'https://wasla.example.com' } },
    },
  ],
  paths: { '/hooks/{token}': { post: hookOperation() } },
  webhooks: webhookOperations(),
  components: {
    schemas: componentSchemas(),
    securitySchemes: {
      ApiKey: {
        type: 'http',
        scheme: 'bearer',
        description: 'For the REST API under /v1, which is not available. No operation uses it.',
      },
    },
  },
}

const files = {
  'openapi/webhooks.json': document,
  'openapi/webhooks-3.0.json': withoutIdentifier(toOpenApi30(document)),
}

for (const [name, made] of Object.entries(files)) {
  const file = path.join(PROJECT, name)
  if (process.argv.includes('--check')) {
    if (read(file) !== JSON.stringify(made)) {
      console.error(`${name} is out of date: run node scripts/generate-openapi.ts`)
      process.exitCode = 1
    }
  } else {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`)
    execFileSync(path.join(PROJECT, 'node_modules/.bin/oxfmt'), [file], { stdio: 'ignore' })
  }
}

/** Returns the contents of the file, independent of its layout; null when it cannot be read. */
function read(file: string): string | null {
  try {
    return JSON.stringify(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

/** Returns the document with the licence's name only: its identifier is new in 3.1. */
function withoutIdentifier(made: Json): Json {
  const { license, ...info } = made.info as { license: { name: string } }
  return { ...made, info: { ...info, license: { name: license.name } } }
}
