type Listening = {
  /** Who wanted to listen, in a sentence. */
  who: string
  port: number | string
  /** What the operator may set to have another port, in a sentence. */
  setting: string
}

/** A port that is taken: by what it is wanted, and the setting that moves it. */
export function portTaken({ who, port, setting }: Listening): Error {
  return new Error(
    `Port ${port} is in use, so ${who} cannot start. Stop what listens there, or set ${setting}.`,
  )
}

/** Why the service cannot listen, with the setting to change. */
export function explainListenFault(
  error: NodeJS.ErrnoException,
  { host, port }: { host: string; port: number },
): Error {
  if (error.code === 'EADDRINUSE') {
    const setting = "PORT to another one (the demonstration's ports follow it)"
    return portTaken({ who: 'Wasla', port, setting })
  }
  if (error.code === 'EACCES') {
    return new Error(`This user may not listen on port ${port}: set PORT to 1024 or more.`)
  }
  if (NOT_OURS.has(error.code)) {
    return new Error(
      `HOST is "${host}", which is not an address of this machine (${error.code}). 127.0.0.1 is reached from here alone, 0.0.0.0 from everywhere.`,
    )
  }
  return error
}

const NOT_OURS: ReadonlySet<string | undefined> = new Set([
  'EADDRNOTAVAIL',
  'ENOTFOUND',
  'EAI_AGAIN',
])
