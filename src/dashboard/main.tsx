// The dashboard: starts crawls, shows them live, and lets one look around in what they found. It runs
// in the browser and knows nothing but the server's HTTP API; the only thing it takes from the rest of
// the source are the types of the API's shapes. Everything that came from the web is shown as text.
import { render } from 'preact'
import 'uplot/dist/uPlot.min.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/shell.css'
import './styles/components.css'
import './styles/form.css'
import './styles/job.css'
import './styles/api.css'
import './styles/explore.css'
import './styles/workers.css'
import { App } from './app.tsx'
import { watchRoute } from './router.ts'
import { watchFleet } from './state/fleet.ts'
import { keepPreferences } from './state/preferences.ts'

keepPreferences()
watchRoute()
watchFleet()
const place = document.querySelector('#app')
if (place !== null) render(<App />, place)
