// The Indonesian of the made-up news: words in common spelling, with their prefixes and suffixes.
import type { Language } from './draft.ts'

export const INDONESIAN: Language = {
  topics: [
    {
      id: 'vaksin',
      description: 'Vaksin, imunisasi dan sistem kekebalan tubuh',
      words: list(
        'vaksin vaksinasi imunisasi imun kekebalan dosis suntik campak disuntik penyuntikan divaksin ' +
          'antibodi virus wabah menular penularan puskesmas dokter bayi balita tubuh gejala demam uji klinis',
      ),
    },
    {
      id: 'kopi',
      description: 'Kopi: petani, panen, sangrai dan seduhan',
      words: list(
        'kopi arabika robusta sangrai seduhan petani barista kebun menyeduh penyeduhan disangrai biji panen ' +
          'memanen pemanenan espreso cangkir kedai aroma perkebunan ekspor gula menanam penanaman rasa',
      ),
    },
    {
      id: 'gempa',
      description: 'Gempa bumi, tsunami dan peringatan dini',
      words: list(
        'gempa tsunami magnitudo episenter guncangan lempeng sesar peringatan berguncang mengguncang ' +
          'seismograf patahan susulan kedalaman pengungsi mengungsi pengungsian evakuasi dievakuasi ' +
          'bencana kerusakan rusak laut warga bangunan',
      ),
    },
    {
      id: 'kereta',
      description: 'Kereta api, stasiun dan rel di Indonesia',
      words: list(
        'kereta stasiun rel lokomotif gerbong penumpang jalur masinis perkeretaapian komuter peron jadwal ' +
          'tiket berangkat keberangkatan pemberangkatan menumpang mengangkut angkutan cepat ' +
          'perjalanan bantalan sinyal jembatan terminal',
      ),
    },
  ],
  common: list(
    'yang dan di ke dari untuk dengan pada dalam ini itu tidak akan juga oleh karena sudah telah bisa ada ' +
      'adalah lebih saat agar para kata ujar menurut warga pemerintah daerah kota desa tahun bulan hari ' +
      'pekan jam pagi siang malam harga pasar jalan rumah sekolah kantor orang anak keluarga teman kerja ' +
      'bekerja pekerjaan baru lama besar kecil banyak sedikit semua beberapa pertama kedua terakhir nanti ' +
      'program rencana anggaran laporan rapat acara kegiatan masalah jawaban pertanyaan alasan tempat ' +
      'bagian cara hal kelompok anggota nomor surat gambar warna meja pintu sungai bukit hutan musim ' +
      'hujan panas layanan dukungan tiket jembatan laut tubuh rasa panen jalur perjalanan gula uji cepat ' +
      'berita kabar terbaru populer terkait baca lihat selengkapnya beranda indeks redaksi kontak',
  ),
}

function list(text: string): readonly string[] {
  return text.split(' ')
}
