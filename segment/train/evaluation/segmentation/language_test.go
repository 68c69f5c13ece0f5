package segmentation

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLanguage(t *testing.T) {
	for want, prose := range map[string]string{
		"English":    "This is the text that you can read with your own eyes.",
		"German":     "Der Server ist nicht erreichbar und wird neu gestartet.",
		"French":     "La fonction est appelée une fois pour les fichiers que vous choisissez.",
		"Spanish":    "El programa se ejecuta una vez por cada archivo del proyecto.",
		"Portuguese": "Você não precisa de uma conta para usar o programa.",
		"Russian":    "Сервер не отвечает, его надо запустить заново.",
		"Ukrainian":  "Її можна запустити ще раз, якщо є потреба.",
		"Chinese":    "服务器没有响应，需要用 nginx 重新启动。",
		"Japanese":   "サーバーが応答しないので再起動が必要です。",
		"Korean":     "서버가 응답하지 않아서 다시 시작해야 합니다.",
		"Arabic":     "الخادم لا يستجيب ويجب إعادة تشغيله.",
		"Hindi":      "सर्वर जवाब नहीं दे रहा है, उसे फिर से चालू करें।",
		"unknown":    "nginx 1.27.0",
	} {
		require.Equal(t, want, Language(prose), prose)
	}
}
