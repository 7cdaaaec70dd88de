// A comparison of orderings that `simulate` saved as one HTML file.
import { render } from 'preact'
import '../styles/tokens.css'
import '../styles/base.css'
import '../styles/report.css'
import type { ReportData } from '../../simulate/report/report-data.ts'
import { t } from '../i18n/i18n.ts'
import { Report } from '../report/report.tsx'
import { followSystem } from '../state/preferences.ts'
import { savedData } from './saved-data.ts'

const report = savedData<ReportData>()
followSystem(report.language)
document.title = `${t('report.title')}: ${report.web.name}`
const place = document.querySelector('#app')
if (place !== null) render(<Report report={report} />, place)
